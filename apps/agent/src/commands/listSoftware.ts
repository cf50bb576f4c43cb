import { messageMaxBytes } from '@campanile/contract/protocol'
import type { Command } from './command.ts'

/** As much of the list as a message holds, and how much there is. */
export const listSoftware: Command<'listSoftware'> = async (_args, { hardware }) => {
  const all = await hardware.software()
  const apps: typeof all = []
  let room = messageMaxBytes - 1024
  for (const app of all) {
    room -= Buffer.byteLength(JSON.stringify(app)) + 1
    if (room < 0) break
    apps.push(app)
  }
  return { result: { total: all.length, apps } }
}
