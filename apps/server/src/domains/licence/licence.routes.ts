import { AppError, commonErrors, deviceErrors, licenceCounts, licenceKinds } from '@campanile/contract'
import { scopeFor } from '../../kit/actor.ts'
import type { Call } from '../../kit/call.ts'
import { byDefault, mount } from '../../kit/mount.ts'
import type { Table } from '../../kit/table.ts'
import type { Db } from '../../platform/db.ts'
import type { Services } from '../../services.ts'
import { findBySns } from '../device/index.ts'
import { authorise, countLicences, lockLicences, renew, revoke, setEnabled, type Term } from './licence.store.ts'
import { type LicenceKind, licenceTables } from './licence.table.ts'

type Grant = Term & { sns: string[] }
type Chosen = { ids: number[] }

const named = (devices: readonly { sn: string; path: string }[]) => devices.map(({ sn, path }) => ({ name: sn, path }))

const actionsOf = (kind: LicenceKind, table: Table) => {
  const chosen = async ({ db, scope }: Call, ids: readonly number[]) => {
    const wanted = [...new Set(ids)]
    const held = await lockLicences(db, table, scope, wanted)
    const missing = wanted.find((id) => !held.some((each) => each.id === id && !each.revoked))
    if (missing !== undefined) throw new AppError(commonErrors.resourceNotFound, { id: missing })
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
    call.touched(named(devices), (own) => ({ description: own.join(', '), after: term }))
    call.note({ description: sns.join(', '), after: term })
    return { authorised: sns.length }
  }
  const prolong = async (call: Call<Chosen & { months: number }>) => {
    const held = await chosen(call, call.input.ids)
    await renew(call.db, call.input.ids, call.input.months)
    const after = { months: call.input.months }
    call.touched(named(held), (own) => ({ description: own.join(', '), after }))
    call.note({ description: held.map(({ sn }) => sn).join(', '), after })
    return { renewed: held.length }
  }
  const changing = (change: (db: Db, ids: readonly number[]) => Promise<unknown>) => async (call: Call<Chosen>) => {
    const held = await chosen(call, call.input.ids)
    await change(call.db, call.input.ids)
    call.note({ description: held.map(({ sn }) => sn).join(', ') })
    call.touched(named(held), (own) => ({ description: own.join(', ') }))
    return { changed: held.length }
  }
  return { authorise: give, renew: prolong, changing }
}

/** A file gives one device after the other its term. Who holds a licence already is left alone. */
const importOf = (kind: LicenceKind) => ({
  emptied: { sn: deviceErrors.snEmpty.code },
  repeated: deviceErrors.snRepeated.code,
  prepare: async ({ db, scope }: Call, drafts: readonly { sn: string }[]) => {
    const known = await findBySns(
      db,
      scope,
      drafts.map(({ sn }) => sn),
    )
    const sns = new Set(known.map(({ sn }) => sn))
    return ({ sn }: { sn: string }) => {
      if (!sns.has(sn)) throw new AppError({ ...deviceErrors.notFound, field: 'sn' }, { sn })
    }
  },
  create: async ({ db, scope, input: { sn, ...term } }: Call<{ sn: string } & Term>) => {
    const [device] = await findBySns(db, scope, [sn])
    if (!device) throw new AppError(deviceErrors.notFound, { sn })
    const [given] = await authorise(db, kind, [device.id], term)
    return { id: given?.id as number }
  },
})

export const mountLicences = ({ kit }: Services) => {
  const { iot, im, health } = licenceTables
  const ofIot = actionsOf('iot', iot)
  const ofIm = actionsOf('im', im)
  const ofHealth = actionsOf('health', health)
  // Connections of what has no licence any more are ended by the database's own word to the gateway.
  mount(kit, iot, {
    list: byDefault,
    export: byDefault,
    import: importOf('iot'),
    actions: { authorise: ofIot.authorise, renew: ofIot.renew, revoke: ofIot.changing(revoke) },
  })
  mount(kit, im, {
    list: byDefault,
    export: byDefault,
    import: importOf('im'),
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
  kit.guarded(licenceCounts, 'organisation', async ({ db, actor, scope, input }) => {
    const seen = licenceKinds.filter((kind) => scopeFor(actor, licenceTables[kind].resource.perms.list))
    return { rows: await countLicences(db, scope, input.departmentId, seen) }
  })
}
