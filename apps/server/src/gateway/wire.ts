import type { presenceReasons, protocol, RefusedMessage, refusalReasons } from '@campanile/contract'

/** Why a device is no longer connected. */
export type EndReason = (typeof presenceReasons)[number]

/** Why somebody was not let in, or was shown the door. Operators read these words. */
export type RefusalReason = (typeof refusalReasons)[number]

/** What befell a device, in the order it did. A message is acknowledged to the device once the server has stored it. */
export type Happening =
  | { what: 'online'; deviceId: number; sn: string; address: string; keepalive: number; at: number }
  | { what: 'offline'; deviceId: number; sn: string; reason: EndReason; detail: string | null; at: number }
  /** Without a text when its bytes are none. */
  | {
      what: 'message'
      deviceId: number
      sn: string
      address: string
      kind: UpKind
      text: string | undefined
      at: number
    }
export type UpKind = Exclude<protocol.UpKind, 'bye'>

export interface RefusedAttempt {
  sn: string
  address: string
  reason: RefusalReason
  /** How often; once where nothing is said. */
  count?: number
  /** What was wrong with it, where it was a message. */
  message?: RefusedMessage
}

/** Batches that are stored at once: while the database writes for one lane, the server reads what came on the other. */
export const laneCount = 2

/** From the gateway's process to the server's. */
export type ToServer =
  | { say: 'open'; port: number }
  | { say: 'closed'; code: string }
  /** Answers `beat`, with how many it holds. */
  | { say: 'alive'; beat: number; connected: number; unknown: number }
  /** May this credential, a hash in Latin-1, come in; or may who came in with it stay? */
  | { say: 'admit'; id: number; sn: string; secret: string }
  /** Happenings as packed by wire-batch.ts. All of one device take the same lane, in order; lanes do not wait for each other. */
  | { say: 'batch'; id: number; lane: number; happenings: Uint8Array; waiting: number }
  /** It has subscribed to its commands, or no longer has. */
  | { say: 'listens'; sn: string; listens: boolean }
  | { say: 'refused'; refusals: RefusedAttempt[] }

export interface GatewayOptions {
  host: string
  port: number
  /** PEM; with both the same port also speaks TLS. */
  tls?: { cert: string; key: string }
  /** By which it knows the server's own connections that look whether it answers. */
  probeHash: string
}

/** A command without its arguments: JSON without the closing bracket. */
export interface Head {
  readonly sn: string
  readonly head: string
}

/** From the server's process to the gateway's. */
export type ToGateway =
  | { say: 'start'; options: GatewayOptions }
  | { say: 'beat'; beat: number }
  /** `grant` differs as soon as anything differs that its being let in rests on. */
  | { say: 'admitted'; id: number; deviceId: number; grant: string }
  | { say: 'turnedAway'; id: number; reason: RefusalReason }
  /** Happenings by their place in the batch that could not be understood; all others are on disk. */
  | { say: 'stored'; id: number; faulty: number[] }
  /**
   * One text for many. Each message begins with the device's own `head` and ends with `,"args":` and that text. `qos` is what
   * it goes out with at most; a device that subscribed with less gets less.
   */
  | { say: 'send'; args: string; qos?: protocol.CommandQos; to: Head[] }
  /** Rights of these, or of anybody, may have changed: each is asked about with what it came in with. */
  | { say: 'askAgain'; sns: string[] | undefined }
