import {
  AppError,
  type CommandSpec,
  commandErrors,
  commonErrors,
  deviceErrors,
  type ErrorSpec,
  errorByCode,
  refusedNamed,
} from '@campanile/contract'
import type { Language } from '../../kit/call.ts'
import type { Db } from '../../platform/db.ts'
import { errorText } from '../../platform/texts.ts'
import { findNotBound, findOutOfKiosk, type Known } from '../device/index.ts'
import { findFrequent, findKeyless, findRunning } from './command.store.ts'
import type { Order } from './order.ts'
import type { Rules } from './rules.ts'

/** 93035: changes of one kind within these minutes before the device is left in peace (behaviour: commands.peace). */
export const frequentChanges = 3
export const peaceMinutes = 5

/** Somebody else's command of the same kind has not ended, or was faster by the length of a transaction: the table refused it. */
export const stillRunning = ({ exclusive }: CommandSpec, sn: string): AppError => {
  const spec: ErrorSpec | undefined = exclusive && errorByCode.get(exclusive.code)
  if (!spec) throw new Error('a command that excludes no other was refused as if it did')
  return new AppError(spec, { sn })
}

/** Why each of these devices cannot take the order now, or at all where it is given for later. A device that never said what it can is not asked. */
export const refusalsOf = async (
  db: Db,
  rules: Pick<Rules, 'of'>,
  { name, spec, args }: Order,
  devices: readonly Known[],
  { later = false }: { readonly later?: boolean } = {},
): Promise<AppError[]> => {
  const ids = devices.map(({ id }) => id)
  // What is under way now will have ended by then.
  const kind = later ? undefined : spec.exclusive?.kind
  const running = kind ? await findRunning(db, ids, kind) : new Set<number>()
  const frequent = kind
    ? await findFrequent(db, ids, kind, { changes: frequentChanges, minutes: peaceMinutes })
    : new Map<number, string>()
  const notBound = name === 'unbind' ? await findNotBound(db, ids) : new Set<number>()
  const open = name === 'kioskOn' && args.exitPassword === undefined ? await findOutOfKiosk(db, ids) : new Set<number>()
  const keyless = await findKeyless(db, ids)
  const refused = later ? [] : ((await rules.of(name).refuse?.(db, devices, args as never)) ?? [])
  const undeclared = refused.find(({ code }) => !spec.errors?.includes(code))
  if (undeclared) throw new Error(`${name} is refused with ${undeclared.code}, which it does not declare`)
  const byRoom = new Map(refused.map((error) => [error.data?.sn, error]))
  return devices.flatMap(({ id, sn, capabilities }) => {
    if (keyless.has(id)) return new AppError(commandErrors.deviceKeyRequired, { sn })
    if (capabilities.length > 0 && !capabilities.includes(name)) return new AppError(commandErrors.notSupported, { sn })
    if (running.has(id)) return stillRunning(spec, sn)
    if (notBound.has(id)) return new AppError(deviceErrors.notBound, { sn })
    // A password that is left out stays; where there is none, nobody could leave the kiosk again.
    if (open.has(id))
      return new AppError(
        { ...commonErrors.missingParameter, field: 'args.exitPassword' },
        { field: 'exitPassword', sn },
      )
    const until = frequent.get(id)
    if (until) return new AppError(commandErrors.waitFiveMinutes, { sn, until })
    return byRoom.get(sn) ?? []
  })
}

/** Who cannot take it and why, in words. */
export const toldRefusal = ({ code, data }: AppError, language: Language) => ({
  sn: String(data?.sn),
  code,
  message: errorText(code, language, data),
})

/** Who is refused and why, for whoever asked: by reason, the most frequent first. `named`: codes of which all are named. */
export const inWords = (refused: readonly AppError[], language: Language, named: readonly number[] = []) => {
  const reasons = new Map<number, AppError[]>()
  for (const error of refused) {
    const others = reasons.get(error.code)
    if (others) others.push(error)
    else reasons.set(error.code, [error])
  }
  const snOf = ({ data }: AppError) => String(data?.sn)
  return [...reasons.values()]
    .sort((a, b) => b.length - a.length)
    .flatMap((errors) => {
      const [first] = errors
      if (!first) return []
      const { code, message } = toldRefusal(first, language)
      const until = errors
        .flatMap(({ data }) => (typeof data?.until === 'string' ? [data.until] : []))
        .sort()
        .at(-1)
      const sns = (named.includes(code) ? errors : errors.slice(0, refusedNamed)).map(snOf)
      return [{ code, message, count: errors.length, sns, ...(until !== undefined && { until }) }]
    })
}
