import { z } from 'zod'
import { defineEndpoint, idOf, mobile, text } from '../kit/index.ts'
import type { SessionUser } from './session.endpoints.ts'

const nothing = z.strictObject({})
const mine = { perm: 'signedIn', scope: 'self' } as const

export interface Profile extends SessionUser {
  sex: 0 | 1 | 2
  /** The number signs its owner in: a code sent to it has come back. */
  mobileConfirmed: boolean
  roleNames: string[]
  validStart: string | null
  validEnd: string | null
  lastLogin: string | null
  lastLoginIp: string | null
  passwordChangedAt: string
  recoveryCodesLeft: number
  /** False for the installation's own super administrator (21018). */
  twoFactorAllowed: boolean
}
/** Photos under 2 MB (behaviour: values.pictures). */
export const photoMaxBytes = 2 * 1024 * 1024 - 1

export const profile = defineEndpoint<Profile>()({
  name: 'profile',
  method: 'GET',
  path: '/api/v1/oauth/profile',
  ...mine,
  whileExpired: true,
  input: nothing,
})
export const updateProfile = defineEndpoint<Profile>()({
  name: 'updateProfile',
  method: 'PUT',
  path: '/api/v1/oauth/profile',
  ...mine,
  input: z.strictObject({
    realName: text(64).schema,
    sex: z.literal([0, 1, 2]),
  }),
})
const sealedPassword = z.string().min(1).max(4096)
/** The number signs in, so it changes only with the password and a code sent to it: first the one, then the other. */
export const sendMobileCode = defineEndpoint<Record<never, never>>()({
  name: 'sendMobileCode',
  method: 'POST',
  path: '/api/v1/oauth/profile/mobile/code',
  ...mine,
  input: z.strictObject({ password: sealedPassword, mobile: mobile().schema }),
})
export const changeMobile = defineEndpoint<Record<never, never>>()({
  name: 'changeMobile',
  method: 'PUT',
  path: '/api/v1/oauth/profile/mobile',
  ...mine,
  input: z.strictObject({ mobile: mobile().schema, code: z.string().max(32) }),
})
export const removeMobile = defineEndpoint<Record<never, never>>()({
  name: 'removeMobile',
  method: 'DELETE',
  path: '/api/v1/oauth/profile/mobile',
  ...mine,
  input: z.strictObject({ password: sealedPassword }),
})
export const uploadPhoto = defineEndpoint<{ photo: string }>()({
  name: 'uploadPhoto',
  method: 'POST',
  path: '/api/v1/oauth/profile/photo',
  ...mine,
  upload: { maxBytes: photoMaxBytes },
  input: nothing,
})
export const readPhoto = defineEndpoint<never>()({
  name: 'readPhoto',
  method: 'GET',
  path: '/api/v1/oauth/profile/photo/:key',
  ...mine,
  input: z.strictObject({ key: z.string().max(64) }),
})
/** Enrolment in two steps: the secret is shown once, then proven with a code. */
export const startTwoFactor = defineEndpoint<{ secret: string; uri: string }>()({
  name: 'startTwoFactor',
  method: 'POST',
  path: '/api/v1/oauth/twoFactor/start',
  ...mine,
  input: z.strictObject({ password: z.string().min(1).max(4096) }),
})
export const enableTwoFactor = defineEndpoint<{ recoveryCodes: string[] }>()({
  name: 'enableTwoFactor',
  method: 'POST',
  path: '/api/v1/oauth/twoFactor/enable',
  ...mine,
  input: z.strictObject({ code: z.string().max(32) }),
})
export const disableTwoFactor = defineEndpoint<Record<never, never>>()({
  name: 'disableTwoFactor',
  method: 'POST',
  path: '/api/v1/oauth/twoFactor/disable',
  ...mine,
  input: z.strictObject({ password: z.string().min(1).max(4096), code: z.string().max(32) }),
})
export const renewRecoveryCodes = defineEndpoint<{ recoveryCodes: string[] }>()({
  name: 'renewRecoveryCodes',
  method: 'POST',
  path: '/api/v1/oauth/twoFactor/recoveryCodes',
  ...mine,
  input: z.strictObject({ code: z.string().max(32) }),
})

export interface Notification {
  id: number
  type: 'export' | 'import' | 'task' | 'alert' | 'announcement'
  title: string
  text: string | null
  link: string | null
  read: boolean
  createTime: string
}
const page = z.coerce.number().int().min(1).max(100_000)
export const notifications = defineEndpoint<{ rows: Notification[]; total: number; unread: number }>()({
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
})
const someOrAll = z.strictObject({ ids: z.array(idOf('notification')).max(10_000).optional() })
export const readNotifications = defineEndpoint<Record<never, never>>()({
  name: 'readNotifications',
  method: 'PUT',
  path: '/api/v1/oauth/notifications/read',
  ...mine,
  quiet: true,
  input: someOrAll,
})
export const clearNotifications = defineEndpoint<Record<never, never>>()({
  name: 'clearNotifications',
  method: 'DELETE',
  path: '/api/v1/oauth/notifications',
  ...mine,
  quiet: true,
  input: someOrAll,
})

export interface SavedView {
  id: number
  resource: string
  name: string
  /** The list's query text and its column settings. */
  state: { search: string; columns?: string[]; hidden?: string[]; density?: string }
  shared: boolean
  isDefault: boolean
  own: boolean
  /** One's own, or a shared one of people one administers. */
  removable: boolean
}
const view = {
  resource: z.string().max(64),
  name: text(64).schema,
  state: z.strictObject({
    search: z.string().max(4000),
    columns: z.array(z.string().max(64)).max(100).optional(),
    hidden: z.array(z.string().max(64)).max(100).optional(),
    density: z.string().max(16).optional(),
  }),
  shared: z.boolean().default(false),
  isDefault: z.boolean().default(false),
}
export const savedViews = defineEndpoint<{ rows: SavedView[] }>()({
  name: 'savedViews',
  method: 'GET',
  path: '/api/v1/oauth/savedViews',
  ...mine,
  input: z.strictObject({ resource: z.string().max(64) }),
})
export const saveView = defineEndpoint<{ id: number }>()({
  name: 'saveView',
  method: 'POST',
  path: '/api/v1/oauth/savedViews',
  ...mine,
  quiet: true,
  input: z.strictObject({ id: idOf('savedView').optional(), ...view }),
})
export const removeView = defineEndpoint<Record<never, never>>()({
  name: 'removeView',
  method: 'DELETE',
  path: '/api/v1/oauth/savedViews',
  ...mine,
  quiet: true,
  input: z.strictObject({ id: idOf('savedView') }),
})

export const personalEndpoints = [
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
  savedViews,
  saveView,
  removeView,
]
