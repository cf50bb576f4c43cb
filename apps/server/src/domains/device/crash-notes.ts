import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Happening, UpKind } from '../../gateway/wire.ts'

type Said = Extract<Happening, { what: 'message' }>

interface Fingerprint {
  deviceId: number
  sn: string
  kind: UpKind
  hash: string
}
/** How often the process ended while this message was handled alone. */
interface Strike extends Fingerprint {
  count: number
  at: number
}
interface Note {
  /** Messages of each device. */
  devices: [deviceId: number, messages: number][]
  alone?: Fingerprint
}

/** A device may have said something new before it repeats what was under way. */
const newFirst = 10
/** Ends of the process with one message alone before that message is refused. Somebody who pulls the plug may be one of them. */
const strikesOfMessage = 2
/** Different messages of one kind and device: it sends the same thing with a new time in it each time. */
const strikesOfDevice = 3
const forgottenMs = 24 * 3_600_000
const suspectsMax = 50_000

const fingerprintOf = ({ deviceId, sn, kind, text = '' }: Said): Fingerprint => ({
  deviceId,
  sn,
  kind,
  hash: createHash('sha256').update(text).digest('hex'),
})

const readJson = <T>(path: string): T | undefined => {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T
  } catch {
    return undefined
  }
}

/**
 * What is being stored is written down before it is touched, so that the next process knows what the last one was at when it
 * ended. Devices that were part of it are then stored one message at a time; a message that ends the process alone, twice, is
 * refused. The notes outlive the process, not the machine: nothing waits for the disk, and what ends a machine is not a message.
 */
export const createCrashNotes = (folder: string, log: Logger, now: () => number = Date.now) => {
  const suspects = new Map<number, number>()
  let strikes: Strike[] = []
  let slots = 0
  const free: number[] = []
  const stateFile = join(folder, 'state.json')

  const save = () => {
    try {
      writeFileSync(`${stateFile}.new`, JSON.stringify({ suspects: [...suspects], strikes }), { mode: 0o600 })
      renameSync(`${stateFile}.new`, stateFile)
    } catch (err) {
      log.warn({ err }, 'notes about devices’ messages could not be saved')
    }
  }

  const accuse = ({ devices, alone }: Note) => {
    for (const [deviceId, messages] of devices) suspects.set(deviceId, messages + newFirst)
    if (!alone) return
    const known = strikes.find(({ deviceId, hash }) => deviceId === alone.deviceId && hash === alone.hash)
    strikes = strikes.filter((each) => each !== known)
    const strike: Strike = { ...alone, count: (known?.count ?? 0) + 1, at: now() }
    strikes.push(strike)
    log.error(strike, 'the server ended while it handled this message of a device and nothing else')
  }

  /** What the process before this one has left. */
  const start = () => {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
    } catch (err) {
      log.warn({ err }, 'there is no place for notes about devices’ messages')
      return
    }
    const kept = readJson<{ suspects: [number, number][]; strikes: Strike[] }>(stateFile)
    for (const [deviceId, left] of kept?.suspects ?? []) suspects.set(deviceId, left)
    strikes = (kept?.strikes ?? []).filter(({ at }) => at > now() - forgottenMs)
    let ended = 0
    for (const name of readdirSync(folder)) {
      if (!name.startsWith('under-way-')) continue
      const note = readJson<Note>(join(folder, name))
      if (!Array.isArray(note?.devices)) continue
      accuse(note)
      ended += note.devices.length
    }
    for (const deviceId of suspects.keys()) {
      if (suspects.size <= suspectsMax) break
      suspects.delete(deviceId)
    }
    if (ended > 0)
      log.warn(
        { devices: ended },
        'the server ended while it stored messages of devices: theirs are stored one by one until all are through',
      )
    save()
    for (const name of readdirSync(folder)) if (name.startsWith('under-way-')) rmSync(join(folder, name))
  }

  /** A full disk, or a folder that is gone, costs the note and nothing else. */
  const put = (slot: number, text: string) => {
    try {
      writeFileSync(join(folder, `under-way-${slot}`), text, { mode: 0o600 })
    } catch {
      // Stored all the same.
    }
  }
  const noted = async <T>(note: Note, work: () => Promise<T>): Promise<T> => {
    const slot = free.pop() ?? slots++
    put(slot, JSON.stringify(note))
    try {
      return await work()
    } finally {
      put(slot, '')
      free.push(slot)
    }
  }

  const forgive = ({ deviceId, hash }: Fingerprint) => {
    const left = (suspects.get(deviceId) ?? 0) - 1
    if (left > 0) suspects.set(deviceId, left)
    else suspects.delete(deviceId)
    if (!strikes.some((each) => each.deviceId === deviceId && each.hash === hash)) return
    strikes = strikes.filter((each) => each.deviceId !== deviceId || each.hash !== hash)
    save()
  }

  return {
    start,
    stop: save,
    /** Messages of this device are to be stored alone. */
    isSuspect: (happening: Happening): happening is Said =>
      happening.what === 'message' && suspects.has(happening.deviceId),
    isHarmful: (said: Said): boolean => {
      if (strikes.length === 0) return false
      const theirs = strikes.filter(({ deviceId, kind }) => deviceId === said.deviceId && kind === said.kind)
      if (theirs.length === 0) return false
      if (theirs.length >= strikesOfDevice) return true
      const { hash } = fingerprintOf(said)
      return theirs.some((each) => each.hash === hash && each.count >= strikesOfMessage)
    },
    /** Around everything that touches these messages, but not while it waits for the database to come back. */
    during: <T>(happenings: readonly Happening[], work: () => Promise<T>): Promise<T> => {
      const [first] = happenings
      if (happenings.length === 1 && first?.what === 'message' && suspects.has(first.deviceId))
        return noted({ devices: [[first.deviceId, 1]], alone: fingerprintOf(first) }, work)
      const counts = new Map<number, number>()
      for (const { what, deviceId } of happenings)
        if (what === 'message') counts.set(deviceId, (counts.get(deviceId) ?? 0) + 1)
      return counts.size > 0 ? noted({ devices: [...counts] }, work) : work()
    },
    /** It was handled alone, and we are still here. */
    survived: (said: Said) => forgive(fingerprintOf(said)),
  }
}

export type CrashNotes = ReturnType<typeof createCrashNotes>
