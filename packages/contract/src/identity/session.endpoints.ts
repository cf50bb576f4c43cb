import { z } from 'zod'
import { defineEndpoint, done, idOf, mobile, modules } from '../kit/index.ts'
import { changePasswordPath } from './facts.ts'
import { menuItem } from './menu.resource.ts'

export const pathStep = z.object({ id: z.number(), name: z.string() }).meta({ id: 'PathStep' })
export type PathStep = z.output<typeof pathStep>
export const sessionUser = z
  .object({
    uid: z.number(),
    username: z.string(),
    realName: z.string(),
    /** Key of the stored picture, for `readPhoto`. */
    photo: z.string().nullable(),
    type: z.literal([0, 1, 2, 3]),
    departmentId: z.number(),
    departmentName: z.string(),
    departmentType: z.number().int(),
    parent: z.string().nullable(),
    mobile: z.string().nullable(),
    isExpired: z.boolean(),
    /** When this was told, by the server's clock. */
    time: z.string(),
    /** Until it must be changed; nothing once it has expired. */
    passwordDaysLeft: z.number(),
    enable2fa: z.boolean(),
    areaName: z.string().nullable(),
    largeScreenTitle: z.string().nullable(),
    enableDeviceActiveStats: z.boolean(),
    /** The organisation entered by `loginSingle`, when it is not one's own. */
    operating: z
      .object({
        departmentId: z.number(),
        departmentName: z.string(),
        departmentType: z.number().int(),
        path: z.array(pathStep),
      })
      .nullable(),
  })
  .meta({ id: 'SessionUser' })
export type SessionUser = z.output<typeof sessionUser>
const loginInfo = z.object({
  uid: z.number(),
  username: z.string(),
  type: z.number().int(),
  departmentId: z.number(),
  departmentName: z.string(),
  departmentType: z.number().int(),
  enable2fa: z.literal(true),
})
export type LoginInfo = z.output<typeof loginInfo>
const signedIn = z.object({
  token: z.string(),
  user: sessionUser,
  /** Shown this once, to who has just set up the second step. */
  recoveryCodes: z.array(z.string()).optional(),
})
export type SignedIn = z.output<typeof signedIn>
const pendingTwoFactor = z.object({
  enable2fa: z.literal(true),
  loginInfo,
  ticket: z.string(),
  /** There while the second step has yet to be set up: what the app has to learn before it can show a code. */
  setup: z.object({ secret: z.string(), uri: z.string() }).optional(),
})
export type PendingTwoFactor = z.output<typeof pendingTwoFactor>
const signedInOrPending = z.union([signedIn, pendingTwoFactor])

const nothing = z.strictObject({})
const credential = z.string().min(1).max(128)
/** Checked by value, not by shape: what people paste is refused by the same code as a wrong one. */
const code = z.string().max(32)
const cipher = z.string().min(1).max(4096)

export const captcha = defineEndpoint({
  name: 'captcha',
  method: 'GET',
  path: '/api/v1/captcha',
  perm: 'public',
  scope: 'public',
  input: nothing,
  answer: z.object({ enabled: z.boolean(), uuid: z.string().exactOptional(), image: z.string().exactOptional() }),
})
export const publicKey = defineEndpoint({
  name: 'publicKey',
  method: 'GET',
  path: '/api/v1/publicKey',
  perm: 'public',
  scope: 'public',
  input: nothing,
  answer: z.object({ publicKey: z.string(), nonce: z.string() }),
})
export const login = defineEndpoint({
  name: 'login',
  method: 'POST',
  path: '/api/v1/login',
  perm: 'public',
  scope: 'public',
  input: z.strictObject({
    uuid: z.string().max(64).optional(),
    code: code.optional(),
    username: credential,
    password: credential,
  }),
  answer: signedInOrPending,
})
export const loginWith2Fa = defineEndpoint({
  name: 'loginWith2Fa',
  method: 'POST',
  path: '/api/v1/loginWith2Fa',
  perm: 'public',
  scope: 'public',
  input: z.strictObject({ ticket: z.string().max(128), code }),
  answer: signedIn,
})
/** A token of a trusted external system, signed, single use, 60 s. It stands for the password, not for the second factor. */
export const getAuthInfo = defineEndpoint({
  name: 'getAuthInfo',
  method: 'POST',
  path: '/api/v1/getAuthInfo',
  perm: 'public',
  scope: 'public',
  input: z.strictObject({ token: z.string().max(4096) }),
  answer: signedInOrPending,
})
export const sendSmsCode = defineEndpoint({
  name: 'sendSmsCode',
  method: 'POST',
  path: '/api/v1/login/smsCode',
  perm: 'public',
  scope: 'public',
  input: z.strictObject({ uuid: z.string().max(64).optional(), code: code.optional(), mobile: mobile().schema }),
  answer: done,
})
export const loginWithSms = defineEndpoint({
  name: 'loginWithSms',
  method: 'POST',
  path: '/api/v1/login/sms',
  perm: 'public',
  scope: 'public',
  input: z.strictObject({ mobile: z.string().max(20), code }),
  answer: signedInOrPending,
})
export const startScanLogin = defineEndpoint({
  name: 'startScanLogin',
  method: 'POST',
  path: '/api/v1/scanLogin',
  perm: 'public',
  scope: 'public',
  quiet: true,
  input: nothing,
  answer: z.object({ ticket: z.string(), url: z.string() }),
})
export const pollScanLogin = defineEndpoint({
  name: 'pollScanLogin',
  method: 'POST',
  path: '/api/v1/scanLogin/poll',
  perm: 'public',
  scope: 'public',
  quiet: true,
  input: z.strictObject({ ticket: z.string().max(128) }),
  answer: z.object({ state: z.enum(['waiting', 'confirmed', 'expired']), ...signedIn.partial().shape }),
})
/** An already signed-in browser lets another one in. */
export const confirmScanLogin = defineEndpoint({
  name: 'confirmScanLogin',
  method: 'POST',
  path: '/api/v1/oauth/scanLogin/confirm',
  perm: 'signedIn',
  scope: 'self',
  input: z.strictObject({ code: z.string().max(128) }),
  answer: done,
})
export const loginSingle = defineEndpoint({
  name: 'loginSingle',
  method: 'POST',
  path: '/api/v1/oauth/login/single',
  perm: 'signedIn',
  scope: 'self',
  input: z.strictObject({ departmentId: idOf('organisation') }),
  answer: signedIn,
})
export const refreshSession = defineEndpoint({
  name: 'refreshSession',
  method: 'POST',
  path: '/api/v1/oauth/refreshSession',
  perm: 'signedIn',
  scope: 'self',
  whileExpired: true,
  quiet: true,
  input: nothing,
  answer: z.object({ expiresAt: z.string(), user: sessionUser }),
})
export const logout = defineEndpoint({
  name: 'logout',
  method: 'DELETE',
  path: '/api/v1/oauth/logout',
  perm: 'signedIn',
  scope: 'self',
  whileExpired: true,
  input: nothing,
  answer: done,
})
export const changePassword = defineEndpoint({
  name: 'changePassword',
  method: 'PUT',
  path: changePasswordPath,
  perm: 'signedIn',
  scope: 'self',
  whileExpired: true,
  input: z.strictObject({ oldPassword: cipher, newPassword: cipher }),
  answer: signedIn,
})
export const navigation = defineEndpoint({
  name: 'navigation',
  method: 'GET',
  path: '/api/v1/oauth/navigation',
  perm: 'signedIn',
  scope: 'self',
  whileExpired: true,
  input: nothing,
  answer: z.object({
    permissions: z.array(z.string()),
    navigationMenu: z.array(menuItem),
    /** Modules that the organisation one works in does not use, and the pages that are left out for it: a link still opens them. */
    unused: z.array(z.object({ module: z.enum(modules), pages: z.array(menuItem) })),
  }),
})
export const liveTicket = defineEndpoint({
  name: 'liveTicket',
  method: 'POST',
  path: '/api/v1/oauth/liveTicket',
  perm: 'signedIn',
  scope: 'self',
  quiet: true,
  input: nothing,
  answer: z.object({ ticket: z.string() }),
})

export const sessionEndpoints = [
  captcha,
  publicKey,
  login,
  loginWith2Fa,
  getAuthInfo,
  sendSmsCode,
  loginWithSms,
  startScanLogin,
  pollScanLogin,
  confirmScanLogin,
  loginSingle,
  refreshSession,
  logout,
  changePassword,
  navigation,
  liveTicket,
]
