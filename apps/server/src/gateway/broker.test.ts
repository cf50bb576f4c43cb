import { protocol } from '@campanile/contract'
import { generate, type Packet } from 'mqtt-packet'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { line, waitTurns } from '../test/line.ts'
import { createBroker } from './broker.ts'
import type { RefusalReason, ToServer } from './wire.ts'
import { unpackBatch } from './wire-batch.ts'

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

const all = <K extends ToServer['say']>(say: K) =>
  told.filter((each): each is ToServer & { say: K } => each.say === say)
const dial = async (sn: string, address = '10.0.0.1', password = 'x') => {
  const { device, gateway } = line()
  const heard: Buffer[] = []
  const closed = vi.fn()
  device.on('data', (chunk: Buffer) => heard.push(chunk)).on('end', closed)
  broker.accept(gateway, address)
  const send = (packet: Packet) => device.write(generate(packet))
  send({
    cmd: 'connect',
    clientId: sn,
    username: sn,
    password: Buffer.from(password),
    keepalive: 0,
    clean: true,
  } as Packet)
  await waitTurns()
  const lastAsked = () => all('admit').findLast((each) => each.sn === sn)?.id ?? 0
  const deviceId = lastAsked()
  const admit = (grant = '1') => broker.hear({ say: 'admitted', id: lastAsked(), deviceId, grant })
  const turnAway = (reason: RefusalReason = 'wrongPassword') =>
    broker.hear({ say: 'turnedAway', id: lastAsked(), reason })
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
    await waitTurns()
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
      await waitTurns(3)
      await vi.advanceTimersByTimeAsync(30)
    }
    expect(most).toBeGreaterThan(10_000)
    expect(most).toBeLessThan(20_100)
    await vi.waitFor(
      () => expect(devices.map(({ acknowledged }) => acknowledged())).toEqual(devices.map(() => 150)),
      30_000,
    )
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
        await waitTurns(2)
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
    await waitTurns()
    for (let n = 0; n < 5_000; n += 1) noisy.send({ cmd: 'pingreq' })
    await waitTurns(100)
    expect(noisy.acknowledged() / 2).toBeLessThan(1_100)
  })

  it('of bytes from one device is read slowly, also when it comes back, and nobody else is held up by it', async () => {
    const big = Buffer.from(JSON.stringify({ id: 'e', type: 't', data: { x: 'x'.repeat(15_000) } }))
    const tell = (device: Awaited<ReturnType<typeof dial>>, sn: string, count: number) => {
      const packet = generate({ cmd: 'publish', topic: protocol.upTopic(sn, 'event'), payload: big, qos: 0 } as Packet)
      for (let n = 0; n < count; n += 1) device.device.write(packet)
    }
    const settle = async () => {
      for (let n = 0; n < 40; n += 1) {
        await waitTurns(50)
        for (const { id } of all('batch')) broker.hear({ say: 'stored', id, faulty: [] })
        await vi.advanceTimersByTimeAsync(25)
      }
    }
    const passed = (sn: string) =>
      all('batch')
        .flatMap(({ happenings }) => unpackBatch(happenings))
        .filter((each) => each.what === 'message' && each.sn === sn).length
    for (const _ of ['first', 'again', 'and again']) {
      const loud = await dial('LOUD')
      loud.admit()
      tell(loud, 'LOUD', 900)
      await settle()
      loud.device.destroy()
      await waitTurns()
    }
    // The burst, and what a few seconds add to it.
    expect(passed('LOUD') * big.length).toBeGreaterThan(30 * 1024 * 1024)
    expect(passed('LOUD') * big.length).toBeLessThan(33 * 1024 * 1024)
    const quiet = await dial('QUIET')
    quiet.admit()
    tell(quiet, 'QUIET', 5)
    await settle()
    expect(passed('QUIET')).toBe(5)
  })

  it('of answers that a device does not take stops at the device', async () => {
    const deaf = await dial('DEAF')
    deaf.admit()
    deaf.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: protocol.commandTopic('DEAF'), qos: 0 }] })
    await waitTurns()
    deaf.device.pause()
    const args = 'x'.repeat(1_000)
    for (let n = 0; n < 3_000; n += 1) broker.hear({ say: 'send', args, to: [{ sn: 'DEAF', head: '{' }] })
    let taken = 0
    deaf.device.removeAllListeners('data').on('data', (chunk: Buffer) => {
      taken += chunk.length
    })
    deaf.device.resume()
    await waitTurns(3_000)
    // The thousand that may wait; the others are in the database and are sent again from there.
    expect(taken).toBeGreaterThan(1_000 * args.length)
    expect(taken).toBeLessThan(1_200 * args.length)
  })

  it('of large commands to devices that do not take them is bounded by its bytes, for one and for all of them', async () => {
    const args = 'x'.repeat(60 * 1024)
    const deaf = await Promise.all(
      Array.from({ length: 100 }, async (_, at) => {
        const sn = `DEAF-${at}`
        const { device, admit, send } = await dial(sn)
        admit()
        send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: protocol.commandTopic(sn), qos: 0 }] })
        await waitTurns()
        device.pause()
        return { sn, device }
      }),
    )
    for (let n = 0; n < 40; n += 1) broker.hear({ say: 'send', args, to: deaf.map(({ sn }) => ({ sn, head: '{' })) })
    const taken = new Map<string, number>()
    for (const { sn, device } of deaf)
      device.removeAllListeners('data').on('data', (chunk: Buffer) => {
        taken.set(sn, (taken.get(sn) ?? 0) + chunk.length)
      })
    for (const { device } of deaf) device.resume()
    await waitTurns(3_000)
    const onTheLine = 3 * args.length
    expect(Math.max(...taken.values())).toBeLessThan(1024 * 1024 + onTheLine)
    expect([...taken.values()].reduce((sum, each) => sum + each, 0)).toBeLessThan(
      64 * 1024 * 1024 + deaf.length * onTheLine,
    )
    // Nobody went away empty-handed, and room that has become free is used again.
    expect(taken.size).toBe(deaf.length)
    const before = taken.get('DEAF-0') ?? 0
    broker.hear({ say: 'send', args, to: [{ sn: 'DEAF-0', head: '{' }] })
    await waitTurns(10)
    expect(taken.get('DEAF-0')).toBeGreaterThan(before)
  })
})

describe('wrong credentials', () => {
  /** Whether the server was asked about it; then it was told no. */
  const isAskedAndRefused = async (sn: string, address: string, reason: RefusalReason = 'wrongPassword') => {
    const before = all('admit').length
    const guess = await dial(sn, address, 'wrong')
    const isAsked = all('admit').length > before
    if (isAsked) guess.turnAway(reason)
    return isAsked
  }
  const isAsked = async (sn: string, address: string, password?: string) => {
    const before = all('admit').length
    await dial(sn, address, password)
    return all('admit').length > before
  }
  const refusals = () => {
    broker.tellRefusals()
    return all('refused').flatMap((each) => each.refusals)
  }

  it('silence a serial number at its address for a minute, and nobody else', async () => {
    for (let n = 0; n < 10; n += 1) expect(await isAskedAndRefused('VICTIM', '10.6.6.6')).toBe(true)
    expect(await isAsked('VICTIM', '10.6.6.6')).toBe(false)
    expect(refusals()).toContainEqual({ sn: 'VICTIM', address: '10.6.6.6', reason: 'tooManyFailures', count: 1 })
    expect(await isAsked('VICTIM', '10.0.0.7')).toBe(true)
    expect(await isAsked('NEIGHBOUR', '10.6.6.6')).toBe(true)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await isAsked('VICTIM', '10.6.6.6')).toBe(true)
  })

  it('of one do not keep a hundred others behind the same address out', async () => {
    for (let n = 0; n < 300; n += 1) await isAskedAndRefused(`WRONG-${n % 3}`, '10.6.6.6')
    for (let n = 0; n < 100; n += 1) expect(await isAsked(`INNOCENT-${n}`, '10.6.6.6')).toBe(true)
  })

  it('do not keep out the device itself, whose own was right before', async () => {
    const device = await dial('TARGET', '10.6.6.6', 'right')
    device.admit()
    for (let n = 0; n < 20; n += 1) await isAskedAndRefused('TARGET', '10.6.6.6')
    expect(await isAsked('TARGET', '10.6.6.6', 'wrong')).toBe(false)
    expect(await isAsked('TARGET', '10.6.6.6', 'right')).toBe(true)
  })

  it('are not an outage, nor a missing licence', async () => {
    for (let n = 0; n < 30; n += 1) expect(await isAskedAndRefused('AWAY', '10.6.6.6', 'unavailable')).toBe(true)
    for (let n = 0; n < 30; n += 1) expect(await isAskedAndRefused('UNPAID', '10.6.6.6', 'licence')).toBe(true)
  })
})

describe('when rights may have changed', () => {
  it('each is asked about with what it came in with, and goes only if it would not be let in as it was', async () => {
    const [stays, refused, moved, other] = await Promise.all(
      ['STAYS', 'REFUSED', 'MOVED', 'OTHER'].map((sn) => dial(sn, '10.0.0.1', sn)),
    )
    for (const each of [stays, refused, moved, other]) each?.admit()
    const before = all('admit')
    broker.hear({ say: 'askAgain', sns: ['STAYS', 'REFUSED', 'MOVED', 'NOBODY'] })
    const again = all('admit').slice(before.length)
    expect(again.map(({ sn }) => sn)).toEqual(['STAYS', 'REFUSED', 'MOVED'])
    expect(again[0]?.secret).toBe(before.find(({ sn }) => sn === 'STAYS')?.secret)
    stays?.admit()
    refused?.turnAway()
    moved?.admit('2')
    await waitTurns()
    expect([stays, refused, moved, other].map((each) => each?.closed.mock.calls.length)).toEqual([0, 1, 1, 0])
  })

  it('nobody goes because the server has no answer, and it is asked again until it has', async () => {
    const device = await dial('PATIENT')
    device.admit()
    broker.hear({ say: 'askAgain', sns: undefined })
    for (let n = 2; n < 6; n += 1) {
      expect(all('admit')).toHaveLength(n)
      device.turnAway('unavailable')
      await vi.advanceTimersByTimeAsync(1_000)
    }
    expect(device.closed).not.toHaveBeenCalled()
    device.turnAway('revoked')
    await waitTurns()
    expect(device.closed).toHaveBeenCalled()
  })

  it('an answer that is older than the change lets nobody in', async () => {
    const device = await dial('RACE')
    broker.hear({ say: 'askAgain', sns: ['RACE'] })
    device.admit()
    expect(all('admit')).toHaveLength(2)
    device.turnAway('revoked')
    await waitTurns()
    expect(device.closed).toHaveBeenCalled()
    expect(broker.connected).toBe(0)
  })

  it('a great many are asked about a few at a time', async () => {
    const devices = await Promise.all(Array.from({ length: 1_200 }, (_, at) => dial(`MANY-${at}`)))
    for (const device of devices) device.admit()
    const before = all('admit').length
    broker.hear({ say: 'askAgain', sns: undefined })
    expect(all('admit').length - before).toBe(500)
    for (let at = before; at < before + 1_200; at += 1) {
      const { id } = all('admit')[at] as { id: number }
      broker.hear({ say: 'turnedAway', id, reason: 'revoked' })
    }
    expect(all('admit').length - before).toBe(1_200)
    expect(broker.connected).toBe(0)
  })
})

it('tells a device that waits too long for the server’s word to come back later', async () => {
  const device = await dial('WAITS')
  await vi.advanceTimersByTimeAsync(11_000)
  expect(device.closed).toHaveBeenCalled()
  // Word that comes after all lets nobody in.
  device.admit()
  expect(broker.connected).toBe(0)
})

it('counts a device that took its own line over as listening', async () => {
  const subscription = { topic: protocol.commandTopic('TWICE'), qos: 1 as const }
  for (const _ of ['older', 'newer']) {
    const device = await dial('TWICE')
    device.admit()
    device.send({ cmd: 'subscribe', messageId: 1, subscriptions: [subscription] })
    await waitTurns()
  }
  expect(all('listens').map(({ listens }) => listens)).toEqual([true, false, true])
})
