import type { EndReason, RefusalReason } from './wire.ts'

export const badAuthenticationMethod = 0x8c
export const packetTooLarge = 0x95

/**
 * What CONNACK says, by version. Unknown, wrong and revoked look the same from outside. Before MQTT 5 what is no proper
 * CONNECT gets no answer at all.
 */
export const connackCode = (reason: RefusalReason, version: number): number | undefined => {
  const [old, five] = {
    clientId: [2, 0x85],
    userName: [4, 0x86],
    tooManyFailures: [3, 0x9f],
    unavailable: [3, 0x88],
    malformed: [undefined, 0x81],
    protocol: [undefined, 0x82],
    tooLarge: [undefined, packetTooLarge],
  }[reason as string] ?? [5, 0x87]
  return version === 5 ? five : old
}

const disconnectCodes: Partial<Record<EndReason | RefusalReason, number>> = {
  takeover: 0x8e,
  kicked: 0x98,
  keepalive: 0x8d,
  serverRestart: 0x8b,
  topic: 0x90,
  unknownTopic: 0x90,
  retained: 0x9a,
  tooLarge: packetTooLarge,
  malformed: 0x81,
  protocol: 0x82,
}
export const disconnectCode = (reason: EndReason | RefusalReason): number => disconnectCodes[reason] ?? 0x80

const shared = 0x9e
const wildcard = 0xa2

/** Kinds of subscription that the server does not have; MQTT 5 ends the connection of whoever asks for one. */
export const unsupportedCode = (topic: string): number | undefined => {
  if (topic.startsWith('$share/')) return shared
  return /[#+]/.test(topic) ? wildcard : undefined
}

/** SUBACK's refusal: anything but one's own commands. */
export const subscriptionCode = (version: number): number => (version === 5 ? 0x87 : 0x80)
