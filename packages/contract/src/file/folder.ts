import { z } from 'zod'
import { mono } from '../kit/index.ts'

export const folderMax = 100

/** Begins and ends with a slash, leads nowhere but down; blank means root (behaviour: values.path). */
export const folder = () => ({
  ...mono(folderMax),
  schema: z
    .string()
    .max(folderMax)
    .regex(/^(\/([^/\\\p{Cc}]+\/)*)?$/u)
    .refine((path) => !path.includes('..')),
})
