import { AppError, type Draft, type Patch, posterErrors, promotion, promotionMachine } from '@campanile/contract'
import { type SqlBool, sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import type { Call } from '../../kit/call.ts'
import { mountPlain, plainTable } from '../../kit/plain.ts'
import { findRow, insertRow, removeRows, updateRow } from '../../kit/rows.ts'
import { inScope } from '../../kit/scope.ts'
import { source } from '../../kit/table.ts'
import type { Db } from '../../platform/db.ts'
import type { Services } from '../../services.ts'
import type { KindRules, ReleaseItem } from '../release/index.ts'
import { type Meant, moment, refuseBackwards, refuseOthers, refuseOver, refuseShown, setStatus } from './shown.ts'

const promotions = plainTable(promotion)

interface Text extends ReleaseItem, Meant {
  readonly text: string
  readonly status: (typeof promotionMachine.states)[number]
  readonly colour: string | null
  readonly speed: 'slow' | 'normal' | 'fast'
  readonly validFrom: string | null
  readonly validUntil: string
}
const findText = async (db: Db, scope: Scope | undefined, id: number): Promise<Text | undefined> => {
  const reached = scope ? inScope(promotions, scope) : sql<SqlBool>`true`
  return (
    await sql<Text>`select t.id, t.title as name, null as version, null as bytes, t.text, t.status, t.range,
        t.device_type as "deviceType", t.colour, t.speed,
        t.valid_from as "validFrom", t.valid_until as "validUntil"
      from ${source(promotions)} where t.id = ${id} and ${reached}`.execute(db)
  ).rows[0]
}

/** How promotion text is released. */
export const promotionRules: KindRules<Text> = {
  find: findText,
  check: (_db, { status, validUntil }, { action }) => {
    if (action === 'show') refuseOver(validUntil)
    else if (!promotionMachine.can(status, 'remove')) throw new AppError(posterErrors.notReleased)
  },
  refuse: async (_db, item, devices, { action }) => refuseOthers(item, devices, action),
  command: (_db, { id, name, text, colour, speed, validFrom, validUntil }, { action }) =>
    action === 'hide'
      ? { command: 'hidePromotion', args: { promotionId: id } }
      : {
          command: 'showPromotion',
          args: {
            promotionId: id,
            title: name,
            text,
            speed,
            ...(colour !== null && { colour }),
            ...(validFrom !== null && { validFrom: moment(validFrom) }),
            validUntil: moment(validUntil),
          },
        },
  after: async (tx, { id }, event, { action }) => {
    if (event === 'created') await setStatus(tx, 'promotion', id, action === 'show' ? 'release' : 'remove')
  },
}

export const mountPromotions = ({ kit }: Services) =>
  mountPlain(kit, promotions, {
    create: async ({ db, scope, input, note }: Call<Draft<typeof promotion>>) => {
      refuseBackwards(input.validFrom, input.validUntil)
      note({ description: input.title })
      return { id: await insertRow(db, promotions, scope, input) }
    },
    update: async (call: Call<Patch<typeof promotion>>) => {
      const { db, scope, input } = call
      const before = await findRow(db, promotions, scope, input.id)
      await refuseShown(db, 'promotion', [input.id])
      const from = input.validFrom === undefined ? before.validFrom : input.validFrom
      refuseBackwards(from, input.validUntil ?? before.validUntil)
      await updateRow(call, promotions, input, { updateTime: new Date().toISOString() })
      return {}
    },
    remove: async ({ db, scope, input, note }: Call<number[]>) => {
      await refuseShown(db, 'promotion', input)
      const names = await removeRows(db, promotions, scope, input)
      note({ description: names.join(', ') })
      return { removed: names.length }
    },
  })
