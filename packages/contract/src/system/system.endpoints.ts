import { z } from 'zod'
import { defineEndpoint, idInQuery } from '../kit/index.ts'
import type { ConfigValues } from './config.ts'
import { configPatch } from './config.ts'
import { dictionaries, type Names } from './dictionary.endpoints.ts'

const nothing = z.strictObject({})

/** What the sign-in page needs before anybody has signed in. */
export const runtime = defineEndpoint<{
  title: Names
  logo: string | null
  defaultLanguage: 'en' | 'zh-CN' | 'zh-TW'
  captcha: boolean
  mobileLogin: boolean
  scanLogin: boolean
  allowOnlineCount: boolean
  onlineCount: number | null
  sessionIdleMinutes: number
  passwordProfile: 'admin' | 'short'
  demo: boolean
}>()({ name: 'runtime', method: 'GET', path: '/api/v1/runtime', perm: 'public', scope: 'public', input: nothing })

export const agreements = defineEndpoint<{ serviceAgreement: Names; privacyPolicy: Names }>()({
  name: 'agreements',
  method: 'GET',
  path: '/api/v1/agreements',
  perm: 'public',
  scope: 'public',
  input: nothing,
})
export const readLogo = defineEndpoint<never>()({
  name: 'readLogo',
  method: 'GET',
  path: '/api/v1/logo/:key',
  perm: 'public',
  scope: 'public',
  input: z.strictObject({ key: z.string().max(64) }),
})
export const readConfig = defineEndpoint<{
  values: ConfigValues
  updated: Record<string, { at: string; by: string | null }>
}>()({
  name: 'readConfig',
  method: 'GET',
  path: '/api/v1/system/config',
  perm: 'system:config:list',
  scope: 'platform',
  input: nothing,
})
export const writeConfig = defineEndpoint<{ values: ConfigValues; needsReload: boolean }>()({
  name: 'writeConfig',
  method: 'PUT',
  path: '/api/v1/system/config',
  perm: 'system:config:edit',
  scope: 'platform',
  input: configPatch,
})
export const uploadLogo = defineEndpoint<{ logo: string }>()({
  name: 'uploadLogo',
  method: 'POST',
  path: '/api/v1/system/config/logo',
  perm: 'system:config:edit',
  scope: 'platform',
  upload: { maxBytes: 1024 * 1024 },
  input: nothing,
})
/** Back to the tower the product brings along. */
export const removeLogo = defineEndpoint<Record<never, never>>()({
  name: 'removeLogo',
  method: 'DELETE',
  path: '/api/v1/system/config/logo',
  perm: 'system:config:edit',
  scope: 'platform',
  input: nothing,
})
/** One line with what changed, for the detail drawer. */
export const operationDetail = defineEndpoint<{
  id: number
  before: unknown
  after: unknown
  userAgent: string | null
  hash: string
}>()({
  name: 'operationDetail',
  method: 'GET',
  path: '/api/v1/gateway/op-log/detail',
  perm: 'system:log:list',
  scope: 'organisation',
  personal: true,
  input: z.strictObject({ id: idInQuery('operationLog') }),
})
export const downloadFile = defineEndpoint<never>()({
  name: 'downloadFile',
  method: 'GET',
  path: '/api/v1/exportFileLogs/download',
  perm: 'iot:files:download',
  scope: 'organisation',
  personal: true,
  input: z.strictObject({ id: idInQuery('exportFile') }),
})
export const systemEndpoints = [
  runtime,
  agreements,
  readLogo,
  dictionaries,
  readConfig,
  writeConfig,
  uploadLogo,
  removeLogo,
  operationDetail,
  downloadFile,
]
