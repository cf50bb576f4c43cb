import type { CommandName, protocol } from '@campanile/contract'
import { sql } from 'kysely'
import pino from 'pino'
import { expect } from 'vitest'
import type { Db } from '../../platform/db.ts'
import { createSeal } from '../../platform/seal.ts'
import { createSignals } from '../../platform/signals.ts'
import { addDevices } from '../../test/devices.ts'
import { type Person, startWorld, type World } from '../../test/world.ts'
import type { DeviceReply, Devices } from '../device/index.ts'
import { createEffects, ownEffects } from './effect.ts'
import { createFollowers } from './follow.ts'
import { type Attempt, createMessageIds } from './message-id.ts'
import { createReplies } from './reply.service.ts'
import type { CommandRules } from './rules.ts'
import { createSender } from './sender.ts'
import { createTaskArgs } from './task-args.ts'
import { createTasks } from './task-end.ts'
import { createToldSecrets } from './told-secrets.ts'
import { createUploadTokens } from './upload.service.ts'

export type Said = Pick<DeviceReply, 'sn' | 'reply'>

/** Said by the devices that have these serial numbers now: the gateway knows who is connected. */
const asSaid = async (db: Db, said: readonly Said[]): Promise<DeviceReply[]> => {
  const { rows } = await sql<{ id: number; sn: string }>`select id, sn from device
    where sn = any(${said.map(({ sn }) => sn)})`.execute(db)
  const ids = new Map(rows.map(({ id, sn }) => [sn, id]))
  return said.map((each) => ({ ...each, deviceId: ids.get(each.sn) ?? 0 }))
}

const applyDone = createEffects({ of: (name) => ({ done: ownEffects[name as CommandName] }) as CommandRules })

/** As if the gateway had brought it: what a device says about the newest command it was given. */
export const answerNewest = async (
  world: World,
  sn: string,
  state: DeviceReply['reply']['state'],
  rest: object = {},
) => {
  const { rows } = await sql<Attempt>`select id, attempt, sn, plain_id as "plainId" from command where sn = ${sn}
    order by id desc limit 1`.execute(world.db)
  const ids = createMessageIds(world.secrets.signingKey)
  const replies = createReplies({
    ids,
    taskArgs: createTaskArgs(createSeal(world.secrets.sealKey)),
    tasks: createTasks({ notify: world.app.services.notify }),
    applyDone,
    followers: createFollowers(),
  })
  const reply = { id: ids.write(rows[0] as Attempt), state, ...rest }
  await world.db.transaction().execute(async (tx) => replies.receive(tx as Db, await asSaid(tx as Db, [{ sn, reply }])))
}

/** What the gateway was handed before it was waited for. */
interface Step {
  readonly texts: number
  readonly bytes: number
}
type Handed = { sn: string } & Pick<protocol.CommandMessage, 'id' | 'name' | 'args' | 'upload'>

/** A world whose devices are played by the test: who is connected, what they were handed, what they answer. */
export const startOutbox = async () => {
  const world = await startWorld()
  const alder = await world.as('alder.admin')
  const connected = new Set<string>()
  const handed: Handed[] = []
  const taken: Step[] = []
  let step: Step = { texts: 0, bytes: 0 }
  let held: Promise<void> | undefined
  let goOn: () => void = () => undefined
  let connect: (sn: string) => void = () => undefined
  const link: Pick<Devices, 'send' | 'taken' | 'onConnected' | 'onShown'> = {
    send: (args, to) => {
      const there = to.filter(({ sn }) => connected.has(sn))
      for (const { sn, id, name, upload } of there) handed.push({ sn, id, name, args: JSON.parse(args), upload })
      step = { texts: step.texts + 1, bytes: step.bytes + args.length * there.length }
      return new Set(there.map(({ sn }) => sn))
    },
    taken: async () => {
      taken.push(step)
      step = { texts: 0, bytes: 0 }
      await held
    },
    onConnected: (listener) => {
      connect = listener
    },
    onShown: () => undefined,
  }
  const log = pino({ level: 'fatal' })
  const signals = createSignals({ pool: world.database.pool, log })
  const tasks = createTasks({ notify: world.app.services.notify })
  const tokens = createUploadTokens(world.secrets.signingKey)
  const ids = createMessageIds(world.secrets.signingKey)
  const taskArgs = createTaskArgs(createSeal(world.secrets.sealKey))
  const replies = createReplies({ ids, taskArgs, tasks, applyDone, followers: createFollowers() })
  const receive = (said: readonly Said[]) =>
    world.db.transaction().execute(async (tx) => replies.receive(tx as Db, await asSaid(tx as Db, said)))
  const told = createToldSecrets(taskArgs)
  const sender = createSender({ db: world.db, signals, link, taskArgs, ids, tokens, told, log })
  await signals.start()
  sender.start()

  return {
    world,
    alder,
    sender,
    connected,
    handed,
    taken,
    /** The gateway does not take what it was handed, until it goes on. */
    holdUp: () => {
      held = new Promise((resolve) => {
        goOn = resolve
      })
    },
    goOn: () => {
      held = undefined
      goOn()
    },
    receive,
    /** It has come and subscribed. */
    arrive: (sn: string) => {
      connected.add(sn)
      connect(sn)
    },
    clear: async () => {
      await sql`delete from device_task`.execute(world.db)
      await sql`delete from device`.execute(world.db)
      await sql`delete from notification`.execute(world.db)
      connected.clear()
      handed.length = 0
      taken.length = 0
    },
    add: async (sns: readonly string[], { departmentId = world.a.shop, online = false } = {}) => {
      await addDevices(world.db, sns, { departmentId, type: 3, online })
      if (online) for (const sn of sns) connected.add(sn)
    },
    give: (command: string, target: object, args: object = {}, who: Person = alder) =>
      who.post('/api/v3/device/basic/command', { command, args, ...target }),
    states: async () => {
      const { rows } = await sql<{ sn: string; state: string }>`select sn, state from command order by sn, id`.execute(
        world.db,
      )
      return Object.fromEntries(rows.map(({ sn, state }) => [sn, state]))
    },
    sent: (count: number) => expect.poll(() => handed.length).toBe(count),
    /** What a device says to the `at`th message. */
    answer: (state: DeviceReply['reply']['state'], rest: object = {}, at = 0) => {
      const { sn, id } = handed[at] as Handed
      return receive([{ sn, reply: { id, state, ...rest } }])
    },
    stop: async () => {
      await sender.stop()
      await signals.stop()
      await world.stop()
    },
  }
}
