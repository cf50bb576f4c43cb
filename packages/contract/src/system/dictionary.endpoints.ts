import { z } from 'zod'
import { defineEndpoint } from '../kit/index.ts'

export interface Names {
  en: string
  'zh-cn': string
  'zh-tw': string
}
/** Apart from the configuration: every list asks for it. */
export const dictionaries = defineEndpoint<{
  rows: { dictionary: string; code: number; label: Names; enabled: boolean; orderNum: number }[]
}>()({
  name: 'dictionaries',
  method: 'GET',
  path: '/api/v1/dictionary/all',
  perm: 'signedIn',
  scope: 'public',
  input: z.strictObject({}),
})
