import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Happening } from '../../gateway/wire.ts'
import { createCrashNotes } from './crash-notes.ts'

type Said = Extract<Happening, { what: 'message' }>
const log = pino({ level: 'silent' })
let folder: string
let time = 1_000_000

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'campanile-notes-'))
  return () => rmSync(folder, { recursive: true, force: true })
})

const say = (deviceId: number, text: string, kind: Said['kind'] = 'state'): Said => ({
  what: 'message',
  deviceId,
  sn: `SN-${deviceId}`,
  address: '::1',
  kind,
  text,
  at: 0,
})
const begin = () => {
  const notes = createCrashNotes(folder, log, () => time)
  notes.start()
  return notes
}
/** A process that ends while it stores these: nobody wipes its note. */
const dieAt = (...happenings: Happening[]) => {
  void begin().during(happenings, () => new Promise(() => undefined))
}

describe('after an unclean end', () => {
  it('devices that were under way are suspects until that much of them is stored, nobody else is', async () => {
    dieAt(say(1, 'a'), say(1, 'b'), say(2, 'c'))
    const notes = begin()
    expect([1, 2, 3].map((id) => notes.isSuspect(say(id, 'x')))).toEqual([true, true, false])
    for (let count = 0; count < 12; count += 1) notes.survived(say(1, String(count)))
    expect([1, 2].map((id) => notes.isSuspect(say(id, 'x')))).toEqual([false, true])
    // Also after a stop in good order.
    notes.stop()
    expect([1, 2].map((id) => begin().isSuspect(say(id, 'x')))).toEqual([false, true])
  })

  it('nobody is a suspect when everything was stored, or failed and waits', async () => {
    const notes = begin()
    await notes.during([say(1, 'a')], async () => undefined)
    await notes.during([say(2, 'a')], () => Promise.reject(new Error('away'))).catch(() => undefined)
    const next = begin()
    expect([1, 2].map((id) => next.isSuspect(say(id, 'x')))).toEqual([false, false])
  })

  it('a message that ended the process alone is refused the second time, its neighbours are not', () => {
    dieAt(say(1, 'a'), say(2, 'b'))
    dieAt(say(1, 'a'))
    expect(begin().isHarmful(say(1, 'a'))).toBe(false)
    dieAt(say(1, 'a'))
    const notes = begin()
    expect(notes.isHarmful(say(1, 'a'))).toBe(true)
    expect([say(1, 'b'), say(2, 'a'), say(1, 'a', 'event')].map(notes.isHarmful)).toEqual([false, false, false])
    time += 25 * 3_600_000
    expect(begin().isHarmful(say(1, 'a'))).toBe(false)
  })

  it('one that is stored afterwards was in order: whoever ended the process, it was not the message', () => {
    dieAt(say(1, 'a'))
    for (let times = 0; times < 5; times += 1) {
      dieAt(say(1, 'a'))
      const notes = begin()
      expect(notes.isHarmful(say(1, 'a'))).toBe(false)
      notes.survived(say(1, 'a'))
    }
  })

  it('one that is a little different each time is refused for its kind', () => {
    dieAt(say(1, '0'))
    for (const text of ['1', '2', '3']) dieAt(say(1, text))
    const notes = begin()
    expect(notes.isHarmful(say(1, 'new'))).toBe(true)
    expect(notes.isHarmful(say(1, 'new', 'event'))).toBe(false)
  })

  it('notes that cannot be read, or not be written, cost nothing else', async () => {
    writeFileSync(join(folder, 'under-way-0'), '{"devices":[[1,')
    writeFileSync(join(folder, 'state.json'), 'x')
    const notes = begin()
    expect(notes.isSuspect(say(1, 'a'))).toBe(false)
    rmSync(folder, { recursive: true })
    expect(await notes.during([say(1, 'a')], async () => 'stored')).toBe('stored')
    notes.stop()
  })

  it('writes one small file for each batch under way at once, and uses it again', async () => {
    const notes = begin()
    for (let times = 0; times < 10; times += 1)
      await Promise.all([1, 2].map((id) => notes.during([say(id, 'a')], async () => undefined)))
    expect(readdirSync(folder).filter((name) => name.startsWith('under-way'))).toHaveLength(2)
  })
})
