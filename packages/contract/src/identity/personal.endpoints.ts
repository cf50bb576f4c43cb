import { z } from 'zod'
import { defineEndpoint, done, fileAnswer, idInQuery, idOf, mobile, text } from '../kit/index.ts'
import { photoMaxBytes } from './facts.ts'
import { sessionUser } from './session.endpoints.ts'

const nothing = z.strictObject({})
const mine = { perm: 'signedIn', scope: 'self' } as const

const profileAnswer = z
  .object({
    ...sessionUser.shape,
    sex: z.literal([0, 1, 2]),
    /** The number signs its owner in: a code sent to it has come back. */
    mobileConfirmed: z.boolean(),
    roleNames: z.array(z.string()),
    validStart: z.string().nullable(),
    validEnd: z.string().nullable(),
    lastLogin: z.string().nullable(),
    lastLoginIp: z.string().nullable(),
    passwordChangedAt: z.string(),
    recoveryCodesLeft: z.number().int(),
    /** False for the installation's own super administrator (21018). */
    twoFactorAllowed: z.boolean(),
  })
  .meta({ id: 'Profile' })
export type Profile = z.output<typeof profileAnswer>

export const profile = defineEndpoint({
  name: 'profile',
  method: 'GET',
  path: '/api/v1/oauth/profile',
  ...mine,
  whileExpired: true,
  input: nothing,
  answer: profileAnswer,
})
export const updateProfile = defineEndpoint({
  name: 'updateProfile',
  method: 'PUT',
  path: '/api/v1/oauth/profile',
  ...mine,
  input: z.strictObject({
    realName: text(64).schema,
    sex: z.literal([0, 1, 2]),
  }),
  answer: profileAnswer,
})
const sealedPassword = z.string().min(1).max(4096)
/** The number signs in, so it changes only with the password and a code sent to it: first the one, then the other. */
export const sendMobileCode = defineEndpoint({
  name: 'sendMobileCode',
  method: 'POST',
  path: '/api/v1/oauth/profile/mobile/code',
  ...mine,
  input: z.strictObject({ password: sealedPassword, mobile: mobile().schema }),
  answer: done,
})
export const changeMobile = defineEndpoint({
  name: 'changeMobile',
  method: 'PUT',
  path: '/api/v1/oauth/profile/mobile',
  ...mine,
  input: z.strictObject({ mobile: mobile().schema, code: z.string().max(32) }),
  answer: done,
})
export const removeMobile = defineEndpoint({
  name: 'removeMobile',
  method: 'DELETE',
  path: '/api/v1/oauth/profile/mobile',
  ...mine,
  input: z.strictObject({ password: sealedPassword }),
  answer: done,
})
export const uploadPhoto = defineEndpoint({
  name: 'uploadPhoto',
  method: 'POST',
  path: '/api/v1/oauth/profile/photo',
  ...mine,
  upload: { maxBytes: photoMaxBytes },
  input: nothing,
  /** Where it is read. */
  answer: z.object({ photo: z.string() }),
})
export const readPhoto = defineEndpoint({
  name: 'readPhoto',
  method: 'GET',
  path: '/api/v1/oauth/profile/photo/:id',
  ...mine,
  input: z.strictObject({ id: idInQuery('user.photo') }),
  answer: fileAnswer,
})
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })
/** Enrolment in two steps: the secret is shown once, then proven with a code. */
export const startTwoFactor = defineEndpoint({
  name: 'startTwoFactor',
  method: 'POST',
  path: '/api/v1/oauth/twoFactor/start',
  ...mine,
  input: z.strictObject({ password: z.string().min(1).max(4096) }),
  answer: z.object({ secret: z.string(), uri: z.string() }),
})
export const enableTwoFactor = defineEndpoint({
  name: 'enableTwoFactor',
  method: 'POST',
  path: '/api/v1/oauth/twoFactor/enable',
  ...mine,
  input: z.strictObject({ code: z.string().max(32) }),
  answer: recoveryCodes,
})
export const disableTwoFactor = defineEndpoint({
  name: 'disableTwoFactor',
  method: 'POST',
  path: '/api/v1/oauth/twoFactor/disable',
  ...mine,
  input: z.strictObject({ password: z.string().min(1).max(4096), code: z.string().max(32) }),
  answer: done,
})
export const renewRecoveryCodes = defineEndpoint({
  name: 'renewRecoveryCodes',
  method: 'POST',
  path: '/api/v1/oauth/twoFactor/recoveryCodes',
  ...mine,
  input: z.strictObject({ code: z.string().max(32) }),
  answer: recoveryCodes,
})

const notification = z.object({
  id: z.number(),
  type: z.enum(['export', 'import', 'task', 'alert', 'announcement']),
  title: z.string(),
  text: z.string().nullable(),
  link: z.string().nullable(),
  /** What it is about can be fetched by this number of a file, until then. */
  file: z.object({ id: z.number(), until: z.string().nullable() }).nullable(),
  read: z.boolean(),
  createTime: z.string(),
})
export type Notification = z.output<typeof notification>
const page = z.coerce.number().int().min(1).max(100_000)
export const notifications = defineEndpoint({
  name: 'notifications',
  method: 'GET',
  path: '/api/v1/oauth/notifications',
  ...mine,
  input: z.strictObject({
    page: page.default(1),
    pageSize: z.coerce.number().int().min(1).max(199).default(20),
    unread: z.enum(['true', 'false']).optional(),
    type: z.enum(['export', 'import', 'task', 'alert', 'announcement']).optional(),
  }),
  answer: z.object({ rows: z.array(notification), total: z.number().int(), unread: z.number().int() }),
})
const someOrAll = z.strictObject({ ids: z.array(idOf('notification')).max(10_000).optional() })
export const readNotifications = defineEndpoint({
  name: 'readNotifications',
  method: 'PUT',
  path: '/api/v1/oauth/notifications/read',
  ...mine,
  quiet: true,
  heavy: true,
  input: someOrAll,
  answer: done,
})
export const clearNotifications = defineEndpoint({
  name: 'clearNotifications',
  method: 'DELETE',
  path: '/api/v1/oauth/notifications',
  ...mine,
  quiet: true,
  heavy: true,
  input: someOrAll,
  answer: done,
})

/** A browser somebody is signed in with. Its name tells nothing of its token. */
const ownSession = z
  .object({
    id: z.string(),
    /** The one that asks. */
    current: z.boolean(),
    ip: z.string(),
    userAgent: z.string(),
    signedInAt: z.string(),
    lastSeen: z.string(),
  })
  .meta({ id: 'OwnSession' })
export type OwnSession = z.output<typeof ownSession>
export const ownSessions = defineEndpoint({
  name: 'ownSessions',
  method: 'GET',
  path: '/api/v1/oauth/sessions',
  ...mine,
  input: nothing,
  answer: z.object({ rows: z.array(ownSession) }),
})
/** Ends one of one's own, with every one made from it; the own one is left by signing out. */
export const endOwnSession = defineEndpoint({
  name: 'endOwnSession',
  method: 'DELETE',
  path: '/api/v1/oauth/sessions',
  ...mine,
  input: z.strictObject({ id: z.string().regex(/^[0-9a-f]{32}$/) }),
  answer: done,
})

export const personalEndpoints = [
  ownSessions,
  endOwnSession,
  profile,
  updateProfile,
  sendMobileCode,
  changeMobile,
  removeMobile,
  uploadPhoto,
  readPhoto,
  startTwoFactor,
  enableTwoFactor,
  disableTwoFactor,
  renewRecoveryCodes,
  notifications,
  readNotifications,
  clearNotifications,
]
