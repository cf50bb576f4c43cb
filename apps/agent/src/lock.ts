import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfPresent, writePrivate } from './identity.ts'

/**
 * When a process began, by what the kernel says of it; a number is given again after a process has ended, together with this
 * it is one process only. A dead one that nobody has collected yet is dead all the same.
 */
export const beginIn = (stat: string): string | undefined => {
  // The name in brackets may hold anything; the state and the figures follow it.
  const [state = '', ...figures] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return 'ZXx'.includes(state) ? undefined : figures[18]
}
const beginOf = async (pid: number): Promise<string | undefined> =>
  beginIn(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))

/** Two agents with one identity would end each other's connections for ever. A killed one is no hindrance. */
export const lockState = async (stateFolder: string): Promise<void> => {
  const path = join(stateFolder, 'agent.pid')
  const [pid = '', begin] = ((await readIfPresent(path)) ?? '').trim().split(' ')
  if (begin && Number(pid) !== process.pid && (await beginOf(Number(pid))) === begin)
    throw new Error(
      `another agent (process ${pid}) runs with ${stateFolder}: stop it first, or give this one a folder of its own (--state)`,
    )
  await writePrivate(path, `${process.pid} ${(await beginOf(process.pid)) ?? ''}\n`)
}
