import { AppError, deviceErrors, gatewayErrors, importLicences } from '@campanile/contract'
import { PartialAnswer } from '../../kit/answer.ts'
import type { Call } from '../../kit/call.ts'
import { byDefault, mount } from '../../kit/mount.ts'
import type { Kit } from '../../kit/route.ts'
import type { Table } from '../../kit/table.ts'
import { newSheet } from '../../kit/upload/sheet.ts'
import type { Db } from '../../platform/db.ts'
import { errorText } from '../../platform/texts.ts'
import type { Services } from '../../services.ts'
import { findBySns, serialRefusal, serialRows } from '../device/index.ts'
import { authorise, lockLicences, renew, revoke, setEnabled, type Term } from './licence.store.ts'
import { type LicenceKind, licenceTables } from './licence.table.ts'

type Grant = Term & { sns: string[] }
type Chosen = { ids: number[] }

const actionsOf = (kind: LicenceKind, table: Table) => {
  const chosen = async ({ db, scope }: Call, ids: readonly number[]) => {
    const wanted = [...new Set(ids)]
    const held = await lockLicences(db, table, scope, wanted)
    const missing = wanted.find((id) => !held.some((each) => each.id === id && !each.revoked))
    if (missing !== undefined) throw new AppError(gatewayErrors.resourceNotFound, { id: missing })
    return held
  }
  const give = async (call: Call<Grant>) => {
    const { db, scope, input } = call
    const { sns: asked, ...term } = input
    const sns = [...new Set(asked)]
    const devices = await findBySns(db, scope, sns)
    const missing = sns.find((sn) => !devices.some((each) => each.sn === sn))
    if (missing !== undefined) throw new AppError(deviceErrors.notFound, { sn: missing })
    const ids = devices.map(({ id }) => id)
    await authorise(db, kind, ids, term)
    call.note({ description: sns.join(', '), after: term })
    return { authorised: sns.length }
  }
  const prolong = async (call: Call<Chosen & { months: number }>) => {
    const held = await chosen(call, call.input.ids)
    await renew(call.db, call.input.ids, call.input.months)
    call.note({ description: held.map(({ sn }) => sn).join(', '), after: { months: call.input.months } })
    return { renewed: held.length }
  }
  const changing = (change: (db: Db, ids: readonly number[]) => Promise<unknown>) => async (call: Call<Chosen>) => {
    const held = await chosen(call, call.input.ids)
    await change(call.db, call.input.ids)
    call.note({ description: held.map(({ sn }) => sn).join(', ') })
    return { changed: held.length }
  }
  return { authorise: give, renew: prolong, changing }
}

const months = (text: string | null | undefined) => (/^\d{1,3}$/.test(text ?? '') ? Number(text) : Number.NaN)
const longest = 120

/** A file of `sn, months, type`: the good rows are taken, of the others it is told why not. */
const mountFile = (kit: Kit) =>
  kit.takesFile(importLicences, 'iotLicence', {
    read: newSheet,
    steps: 'apart',
    run: async (call, sheet) => {
      const { scope, caller } = call
      const rows = serialRows(sheet)
      return kit.db.transaction().execute(async (transaction) => {
        const db = transaction as Db
        const known = await findBySns(db, scope, [...new Set(rows.map(({ sn }) => sn))])
        const ids = new Map(known.map(({ id, sn }) => [sn, id]))
        const seen = new Set<string>()
        const failed: { row: number; sn: string; code: number; message: string }[] = []
        // Rows with the same term are written together.
        const terms = new Map<string, { term: Term; ids: number[] }>()
        for (const each of rows) {
          const { sn, row, cells } = each
          const id = ids.get(sn)
          const term = { months: months(cells[1]?.trim()), type: Number(cells[2]?.trim() || 0) }
          const fits = term.months >= 1 && term.months <= longest && Number.isInteger(term.type) && term.type >= 0
          const why =
            serialRefusal(sn, seen) ??
            (id === undefined ? new AppError(deviceErrors.notFound, { sn }) : undefined) ??
            (fits && term.type < 1000
              ? undefined
              : new AppError({ ...gatewayErrors.wrongFormat, field: 'months' }, { field: 'months' }))
          seen.add(sn)
          if (why)
            failed.push({
              row,
              sn: sn.slice(0, 128),
              code: why.code,
              message: errorText(why.code, caller.language, why.data),
            })
          else if (id !== undefined) {
            const key = `${term.months} ${term.type}`
            const same: { term: Term; ids: number[] } = terms.get(key) ?? { term, ids: [] }
            same.ids.push(id)
            terms.set(key, same)
          }
        }
        for (const { term, ids: chosen } of terms.values()) await authorise(db, 'iot', chosen, term)
        const created = rows.length - failed.length
        call.note({ description: `${created} of ${rows.length}` })
        return failed.length > 0 ? new PartialAnswer({ created, failed }) : { created, failed }
      })
    },
  })

export const mountLicences = ({ kit }: Services) => {
  const { iot, im, health } = licenceTables
  const ofIot = actionsOf('iot', iot)
  const ofIm = actionsOf('im', im)
  const ofHealth = actionsOf('health', health)
  // The gateway asks again when the device comes next; it is not asked to leave.
  mount(kit, iot, {
    list: byDefault,
    export: byDefault,
    actions: { authorise: ofIot.authorise, renew: ofIot.renew, revoke: ofIot.changing(revoke) },
  })
  mount(kit, im, {
    list: byDefault,
    export: byDefault,
    actions: { authorise: ofIm.authorise, renew: ofIm.renew, revoke: ofIm.changing(revoke) },
  })
  mount(kit, health, {
    list: byDefault,
    export: byDefault,
    actions: {
      authorise: ofHealth.authorise,
      renew: ofHealth.renew,
      enable: ofHealth.changing((db, ids) => setEnabled(db, ids, true)),
      disable: ofHealth.changing((db, ids) => setEnabled(db, ids, false)),
    },
  })
  mountFile(kit)
}
