import { z } from 'zod'
import { defineEndpoint } from '../kit/index.ts'

export const namesInThree = z.object({ en: z.string(), 'zh-cn': z.string(), 'zh-tw': z.string() }).meta({ id: 'Names' })
export type Names = z.output<typeof namesInThree>
/** Apart from the configuration: every list asks for it. */
export const dictionaries = defineEndpoint({
  name: 'dictionaries',
  method: 'GET',
  path: '/api/v1/dictionary/all',
  perm: 'signedIn',
  scope: 'public',
  input: z.strictObject({}),
  answer: z.object({
    rows: z.array(
      z.object({
        dictionary: z.string(),
        code: z.number().int(),
        label: namesInThree,
        enabled: z.boolean(),
        orderNum: z.number().int(),
      }),
    ),
  }),
})
