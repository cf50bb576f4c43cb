import { z } from 'zod'
import { text } from '../kit/index.ts'

/** The numbers of the enterprises that may use something, joined by commas, are shorter than this (behaviour: packages.permitted). */
export const permittedMax = 8192

/** `12,15`: enterprises beside one's own. One that is too long is answered by its room, with the limit. */
export const permittedEnterprises = () => ({
  ...text(permittedMax - 1),
  schema: z
    .string()
    .trim()
    .max(8 * permittedMax)
    .regex(/^[1-9]\d{0,15}(,[1-9]\d{0,15})*$/),
})
