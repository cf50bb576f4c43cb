import { z } from 'zod'
import { longText, names } from '../kit/index.ts'

const agreement = z.strictObject({
  en: longText(5000).schema,
  'zh-cn': longText(5000).schema,
  'zh-tw': longText(5000).schema,
})
const minutes = (min: number, max: number) => z.number().int().min(min).max(max)

/** Every setting of the installation, its rule and, by `configGroups`, where the screen shows it. */
export const configShape = {
  title: names(64).schema,
  defaultLanguage: z.enum(['en', 'zh-CN', 'zh-TW']),
  showOnlineCount: z.boolean(),
  serviceAgreement: agreement,
  privacyPolicy: agreement,
  sessionIdleMinutes: minutes(5, 1440),
  sessionAbsoluteHours: minutes(1, 168),
  lockMinutes: minutes(5, 1440),
  /** readings 83: 8-64 with letter, digit and special; or 6-16 with three kinds. */
  passwordProfile: z.enum(['admin', 'short']),
  passwordMaxAgeDays: minutes(1, 3650),
  mapVariant: z.enum(['offline', 'osm', 'google', 'amap', 'baidu']),
  signSecret: z.boolean(),
  allowPrivateServer: z.boolean(),
  smsWebhook: z
    .url({ protocol: /^https?$/ })
    .max(256)
    .nullable(),
  trustedIssuer: z.string().trim().max(128).nullable(),
  trustedIssuerKey: z.string().trim().max(4096).nullable(),
  exportKeepDays: minutes(1, 365),
} as const
export type ConfigValues = { [K in keyof typeof configShape]: z.infer<(typeof configShape)[K]> } & {
  logo: string | null
}
export type ConfigKey = keyof ConfigValues

export const configPatch = z.strictObject(configShape).partial()

export const configGroups: Readonly<Record<string, readonly (keyof typeof configShape)[]>> = {
  appearance: ['title', 'defaultLanguage', 'showOnlineCount'],
  security: ['passwordProfile', 'passwordMaxAgeDays', 'lockMinutes', 'sessionIdleMinutes', 'sessionAbsoluteHours'],
  agreements: ['serviceAgreement', 'privacyPolicy'],
  integrations: ['smsWebhook', 'trustedIssuer', 'trustedIssuerKey', 'allowPrivateServer', 'signSecret', 'mapVariant'],
  storage: ['exportKeepDays'],
}
