import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { dataPaths } from './data-folder.ts'
import { OperatorError } from './operator-error.ts'

/** Somebody who wants a data folder or has it. The start time tells them from a stranger who was given the same process number. */
interface Claim {
  id: string
  held: boolean
  pid: number
  started: string
  host: string
}

const heartbeat = 3_000
/** How long the claim of another machine or container is watched before it counts as abandoned. */
const silence = 10_000

export interface InstanceLock {
  release(): Promise<void>
}

/**
 * One server per data folder. Everybody writes a claim of their own, then looks for others, and holds the folder only
 * after a look that found nobody else: of two who start at once, the one who wrote later sees the other. Claims of the
 * dead, left by `kill -9`, are removed; their names are never used again, so no living claim can be hit.
 */
export async function lockInstance(dataDir: string, patience = silence): Promise<InstanceLock> {
  const folder = dataPaths(dataDir).lock
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const mine = { id: randomUUID(), pid: process.pid, started: await startedAt(process.pid), host: hostname() }
  await writeClaim(folder, { ...mine, held: false })
  try {
    for (;;) {
      const others = (await livingClaims(folder, patience)).filter(({ id }) => id !== mine.id)
      const winner = others.find((other) => other.held || other.id < mine.id)
      if (winner) {
        throw new OperatorError(
          `${dataDir} is in use by the Campanile with process number ${winner.pid} on ${winner.host}: stop that one, or set CAMPANILE_DATA to another folder.`,
        )
      }
      if (others.length === 0) break
      // They will see that we come first and withdraw.
      await sleep(20)
    }
    await writeClaim(folder, { ...mine, held: true })
  } catch (error) {
    await rm(claimPath(folder, mine.id), { force: true })
    throw error
  }
  const path = claimPath(folder, mine.id)
  const beat = setInterval(() => utimes(path, new Date(), new Date()).catch(() => undefined), heartbeat).unref()
  return {
    async release() {
      clearInterval(beat)
      await rm(path, { force: true })
    },
  }
}

/** The process that serves this data folder now, if any. */
export async function findRunningInstance(dataDir: string): Promise<{ pid: number } | undefined> {
  const holder = (await livingClaims(dataPaths(dataDir).lock, silence)).find(({ held }) => held)
  return holder && { pid: holder.pid }
}

const claimPath = (folder: string, id: string): string => join(folder, `${id}.json`)

/** Renamed into place, so that nobody reads half of it. */
async function writeClaim(folder: string, claim: Claim): Promise<void> {
  const half = join(folder, `${claim.id}.new`)
  await writeFile(half, JSON.stringify(claim), { mode: 0o600 })
  await rename(half, claimPath(folder, claim.id))
}

async function livingClaims(folder: string, patience: number): Promise<Claim[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'))
  const claims = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      const claim = await readClaim(path)
      if (claim === 'gone') return []
      if (claim && (await isAlive(claim, path, patience))) return [claim]
      await rm(path, { force: true })
      return []
    }),
  )
  return claims.flat()
}

/** Undefined for what cannot be read: a power cut may leave an empty file. */
async function readClaim(path: string): Promise<Claim | 'gone' | undefined> {
  try {
    const claim = JSON.parse(await readFile(path, 'utf8'))
    return typeof claim.host === 'string' ? claim : undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'gone' : undefined
  }
}

async function isAlive(claim: Claim, path: string, patience: number): Promise<boolean> {
  if (claim.host === hostname()) return claim.started !== '' && (await startedAt(claim.pid)) === claim.started
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
