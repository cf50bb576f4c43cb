import { z } from 'zod'
import { anyJson, defineEndpoint, done, fileAnswer, idInQuery, image } from '../kit/index.ts'
import { configPatch, configValues } from './config.ts'
import { dictionaries, namesInThree } from './dictionary.endpoints.ts'

const nothing = z.strictObject({})

/** What the sign-in page needs before anybody has signed in. */
export const runtime = defineEndpoint({
  name: 'runtime',
  method: 'GET',
  path: '/api/v1/runtime',
  perm: 'public',
  scope: 'public',
  input: nothing,
  answer: z.object({
    title: namesInThree,
    logo: z.string().nullable(),
    defaultLanguage: z.enum(['en', 'zh-CN', 'zh-TW']),
    captcha: z.boolean(),
    mobileLogin: z.boolean(),
    scanLogin: z.boolean(),
    allowOnlineCount: z.boolean(),
    onlineCount: z.number().int().nullable(),
    sessionIdleMinutes: z.number().int(),
    passwordProfile: z.enum(['admin', 'short']),
    demo: z.boolean(),
  }),
})

export const agreements = defineEndpoint({
  name: 'agreements',
  method: 'GET',
  path: '/api/v1/agreements',
  perm: 'public',
  scope: 'public',
  input: nothing,
  answer: z.object({ serviceAgreement: namesInThree, privacyPolicy: namesInThree }),
})
export const readLogo = defineEndpoint({
  name: 'readLogo',
  method: 'GET',
  path: '/api/v1/logo/:key',
  perm: 'public',
  scope: 'public',
  input: z.strictObject({ key: z.string().max(64) }),
  answer: fileAnswer,
})
export const readConfig = defineEndpoint({
  name: 'readConfig',
  method: 'GET',
  path: '/api/v1/system/config',
  perm: 'system:config:list',
  scope: 'platform',
  input: nothing,
  answer: z.object({
    values: configValues,
    updated: z.record(z.string(), z.object({ at: z.string(), by: z.string().nullable() })),
  }),
})
export const writeConfig = defineEndpoint({
  name: 'writeConfig',
  method: 'PUT',
  path: '/api/v1/system/config',
  perm: 'system:config:edit',
  scope: 'platform',
  input: configPatch,
  answer: z.object({ values: configValues, needsReload: z.boolean() }),
})
/** Also a bitmap (behaviour: values.pictures). */
export const logoPicture = image(1024 * 1024, ['png', 'jpeg', 'bmp'])
export const uploadLogo = defineEndpoint({
  name: 'uploadLogo',
  method: 'POST',
  path: '/api/v1/system/config/logo',
  perm: 'system:config:edit',
  scope: 'platform',
  upload: { maxBytes: logoPicture.maxBytes ?? 0 },
  input: nothing,
  answer: z.object({ logo: z.string() }),
})
/** Back to the tower the product brings along. */
export const removeLogo = defineEndpoint({
  name: 'removeLogo',
  method: 'DELETE',
  path: '/api/v1/system/config/logo',
  perm: 'system:config:edit',
  scope: 'platform',
  input: nothing,
  answer: done,
})
/** One line with what changed, for the detail drawer. */
export const operationDetail = defineEndpoint({
  name: 'operationDetail',
  method: 'GET',
  path: '/api/v1/gateway/op-log/detail',
  perm: 'system:log:list',
  scope: 'organisation',
  personal: true,
  input: z.strictObject({ id: idInQuery('operationLog') }),
  answer: z.object({
    id: z.number(),
    before: anyJson,
    after: anyJson,
    userAgent: z.string().nullable(),
    hash: z.string(),
  }),
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
]
