import { AppError, posterErrors, promotionMachine, type promotionRanges } from '@campanile/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { Known } from '../device/index.ts'

type Shown = 'promotion' | 'poster'

const validityPassed = () => new AppError({ ...posterErrors.validityPassed, field: 'validUntil' })
/** A validity that ends before it begins is shown by nobody. A draft may lie about with one that has passed. */
export const refuseBackwards = (from: string | null | undefined, until: string) => {
  if (from && Date.parse(from) >= Date.parse(until)) throw validityPassed()
}
export const refuseOver = (until: string) => {
  if (Date.parse(until) <= Date.now()) throw validityPassed()
}

export interface Meant {
  readonly range: (typeof promotionRanges)[number]
  readonly deviceType: number | null
}
/** What is meant for a category goes to no other device; it is taken from whichever has it. */
export const refuseOthers = ({ range, deviceType }: Meant, devices: readonly Known[], action: string): AppError[] =>
  range === 'category' && action === 'show'
    ? devices
        .filter((device) => device.deviceType !== deviceType)
        .map(({ sn }) => new AppError(posterErrors.categoryDiffers, { sn }))
    : []

/** Where it stands on devices, what they show would no longer be what people read here. */
export const refuseShown = async (db: Db, table: Shown, ids: readonly number[]) => {
  const { rows } = await sql`select from ${sql.table(table)} where id = any(${ids}) and status = 'released'
    for update`.execute(db)
  if (rows.length > 0) throw new AppError(posterErrors.alreadyReleased)
}

export const setStatus = (tx: Db, table: Shown, id: number, event: 'release' | 'remove') =>
  sql`update ${sql.table(table)} set status = ${promotionMachine.next(event)}, update_time = now(),
      release_time = case when ${event === 'release'} then now() else release_time end
    where id = ${id} and status = any(${promotionMachine.from(event)})`.execute(tx)

/** Devices have stopped showing it by themselves. */
export const expireShown = (db: Db, table: Shown) =>
  sql`update ${sql.table(table)} set status = ${promotionMachine.next('expire')}
    where status = any(${promotionMachine.from('expire')}) and valid_until <= now()`.execute(db)

export const moment = (time: string) => new Date(time).toISOString()
