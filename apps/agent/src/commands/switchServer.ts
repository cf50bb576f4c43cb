import type { Membership } from '../identity.ts'
import { baseOf } from '../join.ts'
import type { Command } from './command.ts'

/** The old server is left only when the new one answers on both its addresses and has taken us. */
export const switchServer: Command<'switchServer'> = async ({ serverUrl, code }, context) => {
  const { identity } = context
  const target = baseOf(serverUrl)
  if (target === identity.serverUrl) throw new Error(`already on ${target}`)
  try {
    await context.reach(target)
    const find = async () => (code ? await context.join(target, code) : sameAt(target, identity))
    return { result: { serverUrl: target }, after: await context.move(find) }
  } catch (error) {
    throw new Error(`stayed on ${identity.serverUrl}: ${error instanceof Error ? error.message : error}`)
  }
}

/** Without a code the server itself has moved: the same credential at another host. */
const sameAt = (serverUrl: string, { username, password, mqttUrl, releaseKey }: Membership): Membership => {
  const broker = new URL(mqttUrl)
  broker.hostname = new URL(serverUrl).hostname
  return { serverUrl, username, password, mqttUrl: broker.href, ...(releaseKey && { releaseKey }) }
}
