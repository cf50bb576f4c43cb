import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { dataPaths } from './data-folder.ts'
import { Refusal } from './refusal.ts'

/** Who holds a data folder. The start time tells a living holder from a stranger who was given its process number. */
interface Holder {
  id: string
  pid: number
  started: string
  host: string
}

const heartbeat = 3_000
/** How long the lock of another machine or container is watched before it counts as abandoned. */
const silence = 10_000

export interface InstanceLock {
  release(): Promise<void>
}

/** One server per data folder. A lock left by `kill -9` is recognised and taken over. */
export async function lockInstance(dataDir: string, patience = silence): Promise<InstanceLock> {
  const path = dataPaths(dataDir).lock
  const mine: Holder = { id: randomUUID(), pid: process.pid, started: await startedAt(process.pid), host: hostname() }
  const own = `${path}.${mine.id}`
  await writeFile(own, JSON.stringify(mine), { mode: 0o600 })
  try {
    // A link appears whole or not at all, and fails when somebody was quicker.
    while (!(await succeeds(link(own, path)))) {
      const holder = await readHolder(path)
      if (holder && (await isAlive(holder, path, patience))) {
        throw new Refusal(
          `${dataDir} is in use by the Campanile with process number ${holder.pid} on ${holder.host}: stop that one, or set CAMPANILE_DATA to another folder.`,
        )
      }
      await takeAway(path, holder)
    }
  } finally {
    await rm(own, { force: true })
  }
  const beat = setInterval(() => utimes(path, new Date(), new Date()).catch(() => undefined), heartbeat).unref()
  return {
    async release() {
      clearInterval(beat)
      if ((await readHolder(path))?.id === mine.id) await rm(path, { force: true })
    },
  }
}

/** The process that serves this data folder now, if any. */
export async function findRunningInstance(dataDir: string): Promise<{ pid: number } | undefined> {
  const path = dataPaths(dataDir).lock
  const holder = await readHolder(path)
  return holder && (await isAlive(holder, path, silence)) ? { pid: holder.pid } : undefined
}

/** Between reading and renaming, another starter may have replaced the stale lock with its own: that one is put back. */
async function takeAway(path: string, stale: Holder | undefined): Promise<void> {
  const aside = `${path}.${randomUUID()}`
  if (!(await succeeds(rename(path, aside)))) return
  if ((await readHolder(aside))?.id !== stale?.id) await succeeds(link(aside, path))
  await rm(aside, { force: true })
}

const readHolder = async (path: string): Promise<Holder | undefined> => {
  try {
    const holder = JSON.parse(await readFile(path, 'utf8'))
    return typeof holder.host === 'string' ? holder : undefined
  } catch {
    return undefined
  }
}

async function isAlive(holder: Holder, path: string, patience: number): Promise<boolean> {
  if (holder.host === hostname()) return holder.started !== '' && (await startedAt(holder.pid)) === holder.started
  const before = await touched(path)
  for (let waited = 0; waited < patience; waited += 250) {
    await sleep(250)
    if ((await touched(path)) !== before) return true
  }
  return false
}

const touched = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.mtimeMs ?? 0

/** Empty when there is no such process. */
async function startedAt(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    // Field 22; the name in field 2 may itself hold spaces and brackets.
    const ticks = line.slice(line.lastIndexOf(')') + 2).split(' ')[19]
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
    return ticks ? `${boot.trim()} ${ticks}` : ''
  }
  return new Promise((resolve) => {
    execFile('ps', ['-p', String(pid), '-o', 'lstart='], (error, stdout) => resolve(error ? '' : stdout.trim()))
  })
}

const succeeds = (attempt: Promise<unknown>): Promise<boolean> =>
  attempt.then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST' || error.code === 'ENOENT') return false
      throw error
    },
  )
