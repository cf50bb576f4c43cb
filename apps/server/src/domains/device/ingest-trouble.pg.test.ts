import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { Registry } from 'prom-client'
import { afterAll, describe, expect, it } from 'vitest'
import { eventually } from '../../test/mqtt.ts'
import { at, counted, said, startIngest } from './ingest.fixture.ts'

const { ingest, newIngest, newDevice, outcome, asOwner, stop } = await startIngest()
afterAll(stop)

describe('a database that does not take it', () => {
  const refuseEvents = (errcode: string, message = 'raised by the test') =>
    asOwner(`create or replace function no_events() returns trigger language plpgsql as $$
        begin raise exception using errcode = '${errcode}', message = '${message}'; end $$;
      create or replace trigger no_events before insert on device_event execute function no_events()`)
  const takeEvents = () => asOwner('drop trigger no_events on device_event')
  const listening = () => {
    const lines: { level: number; msg: string }[] = []
    const stream = new Writable({
      write: (chunk, _encoding, done) => {
        lines.push(JSON.parse(String(chunk)))
        done()
      },
    })
    return { log: pino(stream), lines }
  }

  it('because its disk is full is waited for, said once, and goes on by itself when there is space', async () => {
    const device = await newDevice()
    const { log, lines } = listening()
    const register = new Registry()
    const waitingIngest = newIngest({ log, register })
    await refuseEvents('53100', 'could not extend file: No space left on device')
    const stored = Promise.all(
      [0, 1].map((n) => waitingIngest.store([said(device, 'event', { id: `full-${n}`, ts: at, type: 'door' })], 0)),
    )
    await eventually(
      async () => waitingIngest.trouble,
      (trouble) => trouble === 'diskFull',
    )
    // Several attempts of both.
    await sleep(1_000)
    expect(lines.filter(({ msg }) => msg.includes('disk'))).toHaveLength(1)
    expect(lines).toHaveLength(1)
    expect(await counted('campanile_device_storage_waiting', register)).toBe(1)
    await takeEvents()
    expect(await stored).toEqual([[], []])
    expect(waitingIngest.trouble).toBeUndefined()
    expect(lines.at(-1)?.msg).toContain('stored again')
    expect((await outcome(device.id)).row).toMatchObject({ events: [expect.anything(), expect.anything()] })
  })

  it.each([['25006'], ['57P01'], ['42501']])(
    'for a reason that is not the message (%s) is waited for',
    async (code) => {
      const device = await newDevice()
      await refuseEvents(code)
      const stored = newIngest().store([said(device, 'event', { id: 'later', ts: at, type: 'door' })], 0)
      await sleep(300)
      await takeEvents()
      expect(await stored).toEqual([])
      expect((await outcome(device.id)).row).toMatchObject({ events: [['later', 'door', null]] })
    },
  )

  it('is not waited for because of words that a device put into the error', async () => {
    const device = await newDevice()
    await refuseEvents('22000', 'Connection terminated: timeout')
    expect(await ingest.store([said(device, 'event', { id: 'e', ts: at, type: 'door' })], 0)).toEqual([0])
    await takeEvents()
  })
})
