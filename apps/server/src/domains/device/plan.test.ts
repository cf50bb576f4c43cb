import { expect, it } from 'vitest'
import type { Happening } from '../../gateway/wire.ts'
import { planOf } from './plan.ts'
import { createPresence } from './presence.ts'

const secret = 'PASS-4711'
const conceal = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll(secret, '***'))

it('keeps nothing of a secret that a device repeats, in whatever it says', () => {
  const at = Date.now()
  const said = (kind: 'hello' | 'state' | 'event', body: object) =>
    ({ what: 'message', kind, deviceId: 1, sn: 'D-1', at, text: JSON.stringify(body) }) as unknown as Happening
  const happenings = [
    said('hello', {
      firmware: secret,
      system: `x ${secret}`,
      agent: secret,
      imei: secret,
      addresses: [secret],
      capabilities: [secret],
      apps: [{ package: 'a', name: secret, version: secret }],
    }),
    said('state', { ssid: secret, printer: secret, networkType: secret, battery: 47, own: secret }),
    said('event', { id: 'e', type: secret, text: secret, data: { deep: [secret] } }),
    { what: 'offline', deviceId: 1, sn: 'D-1', at, reason: 'clean', detail: `because ${secret}` } as Happening,
  ]
  const refused: unknown[] = []
  const plan = planOf(
    happenings.map((each, place) => [place, each] as const),
    createPresence(),
    (...refusal) => refused.push(refusal),
    { take: () => true },
    () => conceal,
  )
  expect(refused).toEqual([])
  expect([plan.hellos.size, plan.states.length, plan.events.length, plan.entries.length]).toEqual([1, 1, 1, 1])
  expect(JSON.stringify({ ...plan, hellos: [...plan.hellos], presences: [...plan.presences] })).not.toContain(secret)
  expect(plan.states[0]?.state).toMatchObject({ battery: 47, ssid: '***' })
})
