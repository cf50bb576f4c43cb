import type { Membership } from '../identity.ts'
import type { Command, Context } from './command.ts'

/** The old server is left only when the new one has taken us; the agent falls back when it is gone at the next connection. */
export const switchServer: Command<'switchServer'> = async ({ serverUrl, code }, context) => {
  const target = serverUrl.replace(/\/+$/, '')
  if (target === context.identity.serverUrl) throw new Error(`already on ${target}`)
  const next = code ? await context.join(target, { sn: context.identity.sn, code }) : sameAt(target, context.identity)
  await probe(next, context)
  await context.moveTo(next)
  return { result: { serverUrl: target }, after: context.reconnect }
}

/** Without a code the server itself has moved: the same credential at another host. */
const sameAt = (serverUrl: string, { username, password, mqttUrl }: Membership): Membership => {
  const broker = new URL(mqttUrl)
  broker.hostname = new URL(serverUrl).hostname
  return { serverUrl, username, password, mqttUrl: broker.href }
}

const probe = async (next: Membership, context: Context) => {
  try {
    await context.probe(next)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`stayed on ${context.identity.serverUrl}: ${next.mqttUrl} does not take this device (${reason})`)
  }
}
