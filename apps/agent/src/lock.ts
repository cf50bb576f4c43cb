import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfPresent, writePrivate } from './identity.ts'

/** A number is given again after a process has ended; together with when it began it is one process only. */
const beginOf = async (pid: number): Promise<string | undefined> => {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The name in brackets may hold anything; the state and twenty more figures follow it.
  return text
    ?.slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .at(19)
}

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
