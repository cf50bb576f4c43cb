import type { z } from 'zod'

/** A kind of event that one room tells and others hear: what it is called, and what it says. */
export interface Topic<T extends object = object> {
  readonly name: string
  readonly data: z.ZodType<T>
}

export const defineTopic = <T extends object>(name: string, data: z.ZodType<T>): Topic<T> => ({ name, data })
