import {
  AppError,
  type CommandName,
  type CommandSpec,
  commands,
  commonErrors,
  device,
  deviceDetail,
  deviceErrors,
  previewedDevices,
} from '@campanile/contract'
import { covers, scopeFor } from '../../kit/actor.ts'
import type { Call } from '../../kit/call.ts'
import { createOrder, scopeOfCommand } from './order.ts'
import { inWords, refusalsOf } from './refusal.ts'
import type { Rules } from './rules.ts'
import { findTarget, type TargetInput } from './target.ts'
import { countFacts, findApps, findLastThere } from './target-facts.store.ts'
import type { TaskInput } from './task.service.ts'
import { refuseMixedTiming, shiftsOf, toldWindows } from './window.ts'

const appPerms = [
  deviceDetail.perm,
  ...Object.values<CommandSpec>(commands).flatMap(({ perm, apps }) => (apps ? [perm] : [])),
]

interface Previewed extends TaskInput {
  sendTime?: string | undefined
  maintenance?: boolean | undefined
  named?: number[] | undefined
}

/** What is told of an order before anything is sent. */
export const createTaskPreview = (rules: Pick<Rules, 'of'>) => {
  const orderWithin = createOrder(rules)

  const preview = async ({ db, actor, input, caller }: Call<Previewed>) => {
    refuseMixedTiming(input)
    const given = await orderWithin(scopeOfCommand(actor, input.command), input.command, input.args)
    const { devices, unknown } = await findTarget(db, given.scope, input)
    const inWindow = input.maintenance ? await shiftsOf(db, devices) : undefined
    const shifts = inWindow?.shifts ?? []
    const { now, later } =
      inWindow ?? (input.sendTime === undefined ? { now: devices, later: [] } : { now: [], later: devices })
    const refused = [
      ...unknown.map((sn) => new AppError(deviceErrors.notFound, { sn })),
      ...(inWindow?.refused ?? []),
      ...(await refusalsOf(db, rules, given, now)),
      ...(await refusalsOf(db, rules, given, later, { later: true })),
    ]
    const out = new Set(refused.map(({ data }) => data?.sn))
    const taking = [...now, ...later].filter(({ sn }) => !out.has(sn))
    const first = taking.slice(0, previewedDevices)
    const since = await findLastThere(
      db,
      first.map(({ id }) => id),
    )
    const opening = new Map(shifts.flatMap(({ window, devices: told }) => told.map(({ id }) => [id, window] as const)))
    return {
      first: first.map(({ id, sn, departmentName, online }) => {
        const window = opening.get(id)
        return {
          sn,
          departmentName,
          online,
          since: online ? null : (since.get(id) ?? null),
          ...(window && !window.open && { sendTime: window.opens.toISOString() }),
        }
      }),
      total: devices.length + unknown.length,
      receiving: taking.length,
      online: taking.filter(({ online }) => online).length,
      refused: inWords(refused, caller.language, input.named),
      ...(inWindow && {
        windows: toldWindows(inWindow, given.scope, ({ sn }) => !out.has(sn)),
      }),
    }
  }

  /** Who is meant, by whoever may see devices, or may give them the command that is thought of. */
  const look = async ({ db, actor, input }: Call<TargetInput & { command?: CommandName | undefined }>) => {
    const { perm } = input.command ? commands[input.command] : { perm: device.perms.list }
    const scope = scopeFor(actor, perm)
    if (!scope) throw new AppError(commonErrors.noPermission, { permission: perm })
    const { devices, unknown, each } = await findTarget(db, scope, input)
    const ids = devices.map(({ id }) => id)
    // What is on a device is for those who may open its page, or tell it something about an app.
    const scopes = appPerms.map((each) => scopeFor(actor, each)).filter((each) => each !== null)
    const open = devices.filter(({ path }) => scopes.some((each) => covers(each, path)))
    return {
      total: devices.length + unknown.length,
      online: devices.filter(({ online }) => online).length,
      each,
      ...(await countFacts(db, ids)),
      apps: await findApps(
        db,
        open.map(({ id }) => id),
      ),
    }
  }

  return { preview, look }
}
