import { execFile } from 'node:child_process'
import { readdir, readFile, readlink, realpath, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { OperatorError } from '../operator-error.ts'

/**
 * After `kill -9` of the server its database may still run, or be on its way down. It is stopped cleanly; then the
 * pid and socket files, which could name a process number given to someone else since, are cleared away.
 * Only called by the holder of the instance lock: no living server owns what is found here.
 */
export async function clearLeftovers(folder: string): Promise<void> {
  const postmaster = await readPostmaster(folder)
  const steps: [NodeJS.Signals, number][] = [
    ['SIGINT', 30_000],
    ['SIGQUIT', 10_000],
    ['SIGKILL', 5_000],
  ]
  for (const [signal, patience] of steps) {
    const running = await processesOf(folder, postmaster)
    if (running.length === 0) break
    // Signals go to the postmaster, which tells its children; without one the children are told themselves.
    const told = postmaster !== undefined && running.includes(postmaster) ? [postmaster] : running
    for (const pid of told) tell(pid, signal)
    await gone(folder, postmaster, patience)
  }
  if ((await processesOf(folder, postmaster)).length > 0) {
    throw new OperatorError(
      `PostgreSQL from an earlier start still runs on ${folder} and cannot be stopped: end it, then start again.`,
    )
  }
  for (const name of ['postmaster.pid', '.s.PGSQL.5432', '.s.PGSQL.5432.lock'])
    await rm(join(folder, name), { force: true })
}

export async function readPostmaster(folder: string): Promise<number | undefined> {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number.parseInt(text, 10)
  return pid > 0 ? pid : undefined
}

async function gone(folder: string, postmaster: number | undefined, patience: number): Promise<void> {
  const until = Date.now() + patience
  while (Date.now() < until && (await processesOf(folder, postmaster)).length > 0) await sleep(25)
}

const tell = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** A PostgreSQL process works in its cluster's folder: that, not a number in a file, says whose it is. */
async function processesOf(folder: string, postmaster: number | undefined): Promise<number[]> {
  if (process.platform !== 'linux')
    return postmaster !== undefined && (await isPostgres(postmaster)) ? [postmaster] : []
  const home = await realpath(folder)
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      const [cwd, executable] = await Promise.all([link(`/proc/${pid}/cwd`), link(`/proc/${pid}/exe`)])
      return cwd === home && basename(executable).startsWith('postgres') ? [Number(pid)] : []
    }),
  )
  return found.flat()
}

const link = (path: string): Promise<string> => readlink(path).catch(() => '')

const isPostgres = (pid: number): Promise<boolean> =>
  promisify(execFile)('ps', ['-p', String(pid), '-o', 'comm=']).then(
    ({ stdout }) => basename(stdout.trim()).startsWith('postgres'),
    () => false,
  )
