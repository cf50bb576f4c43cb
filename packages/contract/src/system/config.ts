import { z } from 'zod'
import { idOf, longText, names } from '../kit/index.ts'
import { defaultPrivacyPolicy, defaultServiceAgreement } from './agreements.ts'

/** Characters; the screen counts them. */
export const configLimits = { title: 64, agreement: 5000, address: 256, issuer: 128 } as const

const paragraphs = longText(configLimits.agreement).schema
const agreement = z.strictObject({ en: paragraphs, 'zh-cn': paragraphs, 'zh-tw': paragraphs })
/** Entered and never answered: the server seals it where it rests and tells only that there is one. */
const secret = (max: number) => z.string().trim().max(max).nullable().meta({ writeOnly: true })
const figure = (min: number, max: number) => z.number().int().min(min).max(max)

/** Every setting of the installation, its rule and, by `configGroups`, where the screen shows it. */
export const configShape = {
  title: names(configLimits.title).schema,
  defaultLanguage: z.enum(['en', 'zh-CN', 'zh-TW']),
  showOnlineCount: z.boolean(),
  serviceAgreement: agreement,
  privacyPolicy: agreement,
  sessionIdleMinutes: figure(5, 1440),
  sessionAbsoluteHours: figure(1, 168),
  lockMinutes: figure(5, 1440),
  /** 8-64 with letter, digit and special; or 6-16 with three kinds (behaviour: sign-in.password-profile). */
  passwordProfile: z.enum(['admin', 'short']),
  passwordMaxAgeDays: figure(1, 3650),
  mapVariant: z.enum(['offline', 'osm', 'google', 'amap', 'baidu']),
  signSecret: z.boolean(),
  allowPrivateServer: z.boolean(),
  /** Whoever knows the address sends messages in the installation's name, so it is kept like a password. */
  smsWebhook: z
    .url({ protocol: /^https?$/ })
    .max(configLimits.address)
    .nullable()
    .meta({ writeOnly: true }),
  trustedIssuer: z.string().trim().max(configLimits.issuer).nullable(),
  /** A secret shared with the issuer (HS256) or its Ed25519 public key in PEM (EdDSA). */
  trustedIssuerKey: secret(4096),
  /** Whose people the issuer may sign in: those of this organisation and below. */
  trustedIssuerDepartmentId: idOf('organisation').nullable(),
  exportKeepDays: figure(1, 365),
  /** What the files of one enterprise may weigh together, in GiB (1024³ bytes). */
  enterpriseFilesGb: figure(1, 1_000_000),
} as const
const shownOrMasked = z.string().nullable()
/** As they are answered: of secrets only that there is one. */
export const configValues = z
  .object({ ...configShape, smsWebhook: shownOrMasked, trustedIssuerKey: shownOrMasked, logo: z.string().nullable() })
  .meta({ id: 'ConfigValues' })
export type ConfigValues = z.output<typeof configValues>
export type ConfigKey = keyof ConfigValues

/** The settings declared as secrets. */
export const configSecrets: readonly ConfigKey[] = (Object.keys(configShape) as (keyof typeof configShape)[]).filter(
  (key) => configShape[key].meta()?.writeOnly,
)

/** What holds until somebody changes it. */
export const configDefaults: ConfigValues = {
  title: { en: 'Campanile', 'zh-cn': 'Campanile', 'zh-tw': 'Campanile' },
  logo: null,
  defaultLanguage: 'en',
  showOnlineCount: false,
  serviceAgreement: defaultServiceAgreement,
  privacyPolicy: defaultPrivacyPolicy,
  sessionIdleMinutes: 30,
  sessionAbsoluteHours: 12,
  lockMinutes: 30,
  passwordProfile: 'admin',
  passwordMaxAgeDays: 90,
  mapVariant: 'offline',
  signSecret: false,
  allowPrivateServer: false,
  smsWebhook: null,
  trustedIssuer: null,
  trustedIssuerKey: null,
  trustedIssuerDepartmentId: null,
  exportKeepDays: 7,
  enterpriseFilesGb: 100,
}

export const configPatch = z.strictObject(configShape).partial()

export const configGroups: Readonly<Record<string, readonly (keyof typeof configShape)[]>> = {
  appearance: ['title', 'defaultLanguage', 'showOnlineCount'],
  security: ['passwordProfile', 'passwordMaxAgeDays', 'lockMinutes', 'sessionIdleMinutes', 'sessionAbsoluteHours'],
  agreements: ['serviceAgreement', 'privacyPolicy'],
  integrations: [
    'smsWebhook',
    'trustedIssuer',
    'trustedIssuerKey',
    'trustedIssuerDepartmentId',
    'allowPrivateServer',
    'signSecret',
    'mapVariant',
  ],
  storage: ['exportKeepDays', 'enterpriseFilesGb'],
}
