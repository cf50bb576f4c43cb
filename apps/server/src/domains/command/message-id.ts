import { createHmac, timingSafeEqual } from 'node:crypto'

/** One try of one command on one device. */
export interface Attempt {
  readonly id: number
  readonly attempt: number
  readonly sn: string
  /** Sent before ids were marked: its device knows it by the bare numbers. */
  readonly plainId: boolean
}

/** 128 bits: what nobody guesses. */
const markLength = 22

/**
 * The id a device is given: which command, which try of it, and a mark worked out from both and the serial number. The
 * numbers alone could be counted up; with the mark only whoever was sent the message can name it, and only as itself.
 */
export const createMessageIds = (signingKey: Buffer) => {
  const markOf = (sn: string, id: number, attempt: number) =>
    createHmac('sha256', signingKey).update(`command ${sn} ${id}-${attempt}`).digest('base64url').slice(0, markLength)
  return {
    write: ({ id, attempt, sn, plainId }: Attempt) =>
      plainId ? `${id}-${attempt}` : `${id}-${attempt}-${markOf(sn, id, attempt)}`,
    /** What this device means by it; nothing when it was not given that id. */
    read: (sn: string, text: string): Attempt | undefined => {
      const named = readNumbers(text)
      if (!named) return undefined
      const { id, attempt, mark } = named
      if (mark === undefined) return { id, attempt, sn, plainId: true }
      const wanted = Buffer.from(markOf(sn, id, attempt))
      const told = Buffer.from(mark)
      if (told.length !== wanted.length || !timingSafeEqual(told, wanted)) return undefined
      return { id, attempt, sn, plainId: false }
    },
  }
}
export type MessageIds = ReturnType<typeof createMessageIds>

/** The numbers an id names, before anybody has looked at its mark. */
export const readNumbers = (text: string) => {
  const [, id, attempt, mark] = /^(\d{1,15})-(\d{1,4})(?:-([\w-]{22}))?$/.exec(text) ?? []
  return id && attempt ? { id: Number(id), attempt: Number(attempt), mark } : undefined
}
