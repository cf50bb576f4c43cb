import { Duplex } from 'node:stream'
import { protocol } from '@campanile/contract'
import { generate, type Packet } from 'mqtt-packet'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createBroker } from './broker.ts'
import type { ToServer } from './wire.ts'
import { unpackBatch } from './wire-batch.ts'

/** Two ends of a line; what one writes waits until the other reads. */
const line = () => {
  const make = (other: () => Duplex) => {
    let taken: (() => void) | undefined
    const end: Duplex & { takes?: () => void } = new Duplex({
      read: () => (other() as typeof end).takes?.(),
      write: (chunk, _, done) => {
        if (other().push(chunk)) done()
        else taken = done
      },
      final: (done) => {
        other().push(null)
        done()
      },
    })
    end.takes = () => {
      const done = taken
      taken = undefined
      done?.()
    }
    return end
  }
  const device: Duplex = make(() => gateway)
  const gateway: Duplex = make(() => device)
  return { device, gateway }
}

let told: ToServer[]
let broker: ReturnType<typeof createBroker>
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
  told = []
  broker = createBroker((message) => told.push(message))
})
afterEach(() => {
  broker.stop()
  vi.useRealTimers()
})

const turns = async (count = 20) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
const all = <K extends ToServer['say']>(say: K) =>
  told.filter((each): each is ToServer & { say: K } => each.say === say)
const dial = async (sn: string, address = '10.0.0.1') => {
  const { device, gateway } = line()
  const heard: Buffer[] = []
  const closed = vi.fn()
  device.on('data', (chunk: Buffer) => heard.push(chunk)).on('end', closed)
  broker.accept(gateway, address)
  const send = (packet: Packet) => device.write(generate(packet))
  send({ cmd: 'connect', clientId: sn, username: sn, password: Buffer.from('x'), keepalive: 0, clean: true } as Packet)
  await turns()
  const asked = all('admit').findLast((each) => each.sn === sn)
  const admit = () => asked && broker.hear({ say: 'admitted', id: asked.id, deviceId: asked.id })
  const turnAway = () => asked && broker.hear({ say: 'turnedAway', id: asked.id, reason: 'wrongPassword' })
  const speak = (count: number) => {
    for (let n = 1; n <= count; n += 1)
      send({ cmd: 'publish', topic: protocol.upTopic(sn, 'state'), payload: '{}', qos: 1, messageId: n } as Packet)
  }
  /** PUBACKs of four bytes after a CONNACK of as many. */
  const acknowledged = () => Buffer.concat(heard).length / 4 - 1
  return { device, closed, send, admit, turnAway, speak, acknowledged }
}
const passedOn = () =>
  all('batch').reduce(
    (sum, { happenings }) => sum + unpackBatch(happenings).filter(({ what }) => what === 'message').length,
    0,
  )

describe('a flood', () => {
  it('is held back in the devices while the server does not store, and lost nowhere', async () => {
    const devices = await Promise.all(
      Array.from({ length: 300 }, async (_, at) => {
        const device = await dial(`FLOOD-${at}`)
        device.admit()
        return device
      }),
    )
    for (const device of devices) device.speak(150)
    await turns()
    await vi.advanceTimersByTimeAsync(10_000)
    // Two batches under way on each of two lanes; the rest waits.
    expect(all('batch')).toHaveLength(4)
    expect(passedOn()).toBeLessThanOrEqual(8_000)
    let stored = 0
    let most = 0
    for (let idle = 0; idle < 3; ) {
      const batch = all('batch')[stored]
      if (batch) {
        idle = 0
        stored += 1
        most = Math.max(most, batch.waiting)
        broker.hear({ say: 'stored', id: batch.id, faulty: [] })
      } else idle += 1
      await turns(3)
      await vi.advanceTimersByTimeAsync(30)
    }
    expect(most).toBeGreaterThan(10_000)
    expect(most).toBeLessThan(20_100)
    await vi.waitFor(() => expect(devices.map(({ acknowledged }) => acknowledged())).toEqual(devices.map(() => 150)))
    expect(passedOn()).toBe(300 * 150)
  })

  it('of one device is read slowly, and hinders no other', async () => {
    const loud = await dial('LOUD')
    const quiet = await dial('QUIET', '10.0.0.2')
    loud.admit()
    quiet.admit()
    loud.speak(3_000)
    quiet.speak(1)
    const storeAll = async () => {
      for (let at = 0; at < all('batch').length; at += 1) {
        broker.hear({ say: 'stored', id: (all('batch')[at] as { id: number }).id, faulty: [] })
        await turns(2)
        await vi.advanceTimersByTimeAsync(20)
        if (at > 200) break
      }
    }
    await vi.advanceTimersByTimeAsync(20)
    await storeAll()
    expect(quiet.acknowledged()).toBe(1)
    // What it may say at once, and a little for the time that went by.
    expect(loud.acknowledged()).toBeGreaterThanOrEqual(900)
    expect(loud.acknowledged()).toBeLessThan(2_000)
  })

  it('of pings counts like one of messages', async () => {
    const noisy = await dial('NOISY')
    noisy.admit()
    await turns()
    for (let n = 0; n < 5_000; n += 1) noisy.send({ cmd: 'pingreq' })
    await turns(100)
    expect(noisy.acknowledged() / 2).toBeLessThan(1_100)
  })

  it('of answers that a device does not take stops at the device', async () => {
    const deaf = await dial('DEAF')
    deaf.admit()
    deaf.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: protocol.commandTopic('DEAF'), qos: 0 }] })
    await turns()
    deaf.device.pause()
    const payload = 'x'.repeat(10_000)
    for (let n = 0; n < 3_000; n += 1) broker.hear({ say: 'send', sn: 'DEAF', payload })
    let taken = 0
    deaf.device.removeAllListeners('data').on('data', (chunk: Buffer) => {
      taken += chunk.length
    })
    deaf.device.resume()
    await turns(3_000)
    // The thousand that may wait; the others are in the database and are sent again from there.
    expect(taken).toBeGreaterThan(1_000 * payload.length)
    expect(taken).toBeLessThan(1_100 * payload.length)
  })
})

it('listens to an address with too many wrong passwords again only after a minute', async () => {
  for (let n = 0; n < 100; n += 1) {
    const guess = await dial('VICTIM', '10.6.6.6')
    guess.turnAway()
  }
  await turns()
  const asked = all('admit').length
  await dial('VICTIM', '10.6.6.6')
  expect(all('admit')).toHaveLength(asked)
  await dial('HONEST', '10.0.0.7')
  expect(all('admit')).toHaveLength(asked + 1)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(all('refused').flatMap(({ refusals }) => refusals)).toContainEqual({
    sn: '',
    address: '10.6.6.6',
    reason: 'tooManyFailures',
  })
  await dial('VICTIM', '10.6.6.6')
  expect(all('admit')).toHaveLength(asked + 2)
})

it('counts a device that took its own line over as listening', async () => {
  const subscription = { topic: protocol.commandTopic('TWICE'), qos: 1 as const }
  for (const _ of ['older', 'newer']) {
    const device = await dial('TWICE')
    device.admit()
    device.send({ cmd: 'subscribe', messageId: 1, subscriptions: [subscription] })
    await turns()
  }
  expect(all('listens').map(({ listens }) => listens)).toEqual([true, false, true])
})
