import {
  type AnswerOf,
  createRelease,
  type InputOf,
  protocol,
  type ReleaseDeviceState,
  releaseDetail,
} from '@campanile/contract'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { addDevice } from '../../test/devices.ts'
import { connectDevice, eventually } from '../../test/mqtt.ts'
import type { Person, World } from '../../test/world.ts'

type Message = protocol.CommandMessage
type Reply = Omit<protocol.Reply, 'id'>
/** What a device answers to what it is told, one word after the other; nothing for one that says nothing. */
export type Temper = (message: Message, times: number) => readonly Reply[]

export const obedient: Temper = () => [{ state: 'done' }]
export const failing =
  (error: string): Temper =>
  () => [{ state: 'failed', error }]
export const silent: Temper = () => []
/** Takes both steps of an update. */
export const thorough: Temper = () => [
  { state: 'acknowledged', step: 'downloading' },
  { state: 'progress', step: 'downloading', progress: 60 },
  { state: 'progress', step: 'upgrading', progress: 10 },
  { state: 'done', result: { version: '2.0.1' } },
]

/** A device on the wire that answers as it is minded; its temper may change. */
export const standDevice = async (world: World, sn: string, departmentId: number, mind: Temper = obedient) => {
  const device = await addDevice(world.db, { sn, departmentId })
  const line = await connectDevice({ port: world.app.doors.device.port, sn, password: device.password })
  const told: Message[] = []
  let temper = mind
  let read = 0
  const answer = async (message: Message) => {
    const first = told.every(({ id }) => id !== message.id)
    told.push(message)
    if (!first) return
    for (const reply of temper(message, told.length))
      await line.publish(protocol.upTopic(sn, 'reply'), { id: message.id, ...reply })
  }
  const look = () => {
    for (; read < line.received.length; read++) {
      const packet = line.received[read]
      if (packet?.cmd === 'publish') void answer(JSON.parse(String(packet.payload)) as Message)
    }
  }
  const timer = setInterval(look, 20)
  await line.subscribe(protocol.commandTopic(sn))
  await eventually(
    async () =>
      (
        await sql<{ online: boolean }>`select iot_status = 'online' as online from device_state
          where device_id = ${device.id}`.execute(world.db)
      ).rows[0]?.online,
    (online) => online === true,
  )
  return {
    ...device,
    told,
    mind: (other: Temper) => {
      temper = other
    },
    tell: (event: object) => line.publish(protocol.upTopic(sn, 'event'), event),
    say: (id: string, reply: Reply) => line.publish(protocol.upTopic(sn, 'reply'), { id, ...reply }),
    leave: () => {
      clearInterval(timer)
      line.goodbye()
    },
  }
}
export type Standing = Awaited<ReturnType<typeof standDevice>>

/** A text that can be released, of an administrator's own enterprise. */
export const addText = async (person: Person, departmentId: number, title = 'Sale') => {
  const made = await person.post('/api/v3/device/promotion/create', {
    title,
    text: 'Everything must go',
    validUntil: '2999-01-01T00:00:00Z',
    departmentId,
  })
  expect(made.code).toBe(100000)
  return Number(made.data.id)
}

export type ReleaseInput = InputOf<typeof createRelease>
export const releaseOf = (itemId: number, sns: readonly string[], given: Partial<ReleaseInput> = {}): ReleaseInput => ({
  kind: 'promotion',
  itemId,
  targets: [{ sns: [...sns] }],
  mode: 'realTime',
  ...given,
})

export const createActs = (person: Person) => {
  const detail = async (id: number) =>
    (await person.get(releaseDetail.path, { id })).data as unknown as AnswerOf<typeof releaseDetail>
  const create = (input: ReleaseInput) => person.post(createRelease.path, input)
  const act = (action: string, id: number, more: object = {}) =>
    person.post(`/api/v3/release/${action}`, { id, ...more })
  const devicesOf = async (id: number) =>
    (await person.get('/api/v3/release/device/list', { releaseId: id, pageSize: 100 })).data.rows as {
      sn: string
    }[] as {
      sn: string
      state: ReleaseDeviceState
      wave: number
      reason: string | null
      detail: string | null
      attempt: number
      percent: number | null
      newVersion: string | null
      told: boolean
    }[]
  return {
    create,
    detail,
    act,
    devicesOf,
    stepsOf: async (id: number) =>
      (await person.get('/api/v3/release/step/list', { releaseId: id, pageSize: 100 })).data.rows as object[] as {
        what: string
        sn: string | null
        wave: number | null
        reason: string | null
        creatorName: string | null
      }[],
    /** Makes one that is taken. */
    begin: async (input: ReleaseInput) => {
      const made = await create(input)
      expect(made).toMatchObject({ code: 100000 })
      return Number(made.data.id)
    },
    until: (id: number, holds: (now: AnswerOf<typeof releaseDetail>) => boolean) => eventually(() => detail(id), holds),
    /** Of one device, as it stands in the release. */
    stateOf: async (id: number, sn: string) => (await devicesOf(id)).find((device) => device.sn === sn),
  }
}
