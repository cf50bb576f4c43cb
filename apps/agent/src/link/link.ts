/** One connection to a broker, from CONNECT to its end. Who reconnects and when is decided elsewhere. */
export interface LinkOptions {
  readonly url: string
  readonly clientId: string
  readonly username: string
  readonly password: string
  readonly keepaliveSeconds: number
  readonly subscribe: string
  readonly will: { readonly topic: string; readonly payload: string }
}
export interface LinkHandlers {
  message(payload: Uint8Array): void
  /** Said once, and never after `close`. */
  lost(reason: string): void
}
export interface Link {
  /** Settles with the broker's acknowledgement; rejects when the connection ends before. */
  publish(topic: string, payload: string): Promise<void>
  close(): Promise<void>
  /** Ends without a word, so that the broker sends the will. */
  drop(): void
}
/** Resolves when connected and subscribed, rejects with the reason. */
export type OpenLink = (options: LinkOptions, handlers: LinkHandlers) => Promise<Link>

/** The broker answered, and said no: wrong or revoked credential, no licence. */
export class Refused extends Error {
  override readonly name = 'Refused'
}
