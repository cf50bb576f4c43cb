import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { Account } from './account.ts'
import type { Runtime } from './runtime.ts'

export interface Cluster {
  folder: string
  runtime: Runtime
  account: Account
}

/**
 * Starts one of PostgreSQL's programs on the cluster. The unprivileged account cannot walk to the folder (the data
 * folder is root's and 0700, perhaps below /root), but it may open what it owns: the folder is handed over as
 * descriptor 3, and `/proc/self/fd/3` leads straight into it. PostgreSQL's own children inherit the descriptor.
 */
export function launch(cluster: Cluster, program: 'initdb' | 'postgres', args: string[]): ChildProcess {
  const options = {
    ...cluster.account,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    // Its own session: Ctrl-C in the terminal must reach us alone, so that requests end before their database does.
    detached: true,
  }
  const executable = join(cluster.runtime.bin, program)
  if (!cluster.account) {
    return spawn(executable, withFolder(args, cluster.folder), { ...options, stdio: ['pipe', 'ignore', 'pipe'] })
  }
  const folder = openSync(cluster.folder, 'r')
  try {
    return spawn(executable, withFolder(args, '/proc/self/fd/3'), {
      ...options,
      stdio: ['pipe', 'ignore', 'pipe', folder],
    })
  } finally {
    closeSync(folder)
  }
}

/** `--single` has to come first; a database name has to come last. */
const withFolder = (args: string[], folder: string): string[] => {
  const [first, ...rest] = args
  return first === '--single' ? ['--single', '-D', folder, ...rest] : ['-D', folder, ...args]
}

/** Runs to the end with `input` on standard input; answers the exit code and what was said on standard error. */
export function finish(child: ChildProcess, input = ''): Promise<{ code: number | null; said: string }> {
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  child.stdin?.on('error', () => undefined).end(input)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, said: said.trim() }))
  })
}
