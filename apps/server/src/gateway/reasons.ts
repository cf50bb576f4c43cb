import type { EndReason, RefusalReason } from './wire.ts'

/** What CONNACK says, by version. Unknown, wrong and revoked look the same from outside. */
export const connackCode = (reason: RefusalReason, version: number): number => {
  const [old, five] = {
    clientId: [2, 0x85],
    userName: [4, 0x86],
    tooManyFailures: [3, 0x9f],
    unavailable: [3, 0x88],
  }[reason as string] ?? [5, 0x87]
  return (version === 5 ? five : old) as number
}

const disconnectCodes: Partial<Record<EndReason | RefusalReason, number>> = {
  takeover: 0x8e,
  kicked: 0x98,
  keepalive: 0x8d,
  serverRestart: 0x8b,
  topic: 0x90,
  retained: 0x9a,
  tooLarge: 0x95,
  malformed: 0x81,
  protocol: 0x82,
}
export const disconnectCode = (reason: EndReason | RefusalReason): number => disconnectCodes[reason] ?? 0x80

/** SUBACK's refusal: anything but one's own commands. */
export const subscriptionCode = (topic: string, version: number): number => {
  if (version !== 5) return 0x80
  if (topic.startsWith('$share/')) return 0x9e
  return /[#+]/.test(topic) ? 0xa2 : 0x87
}
