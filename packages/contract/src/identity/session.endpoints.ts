import { z } from 'zod'
import { defineEndpoint, idOf, mobile } from '../kit/index.ts'
import { changePasswordPath } from './facts.ts'
import type { MenuItem } from './menu.resource.ts'

export interface PathStep {
  id: number
  name: string
}
export interface SessionUser {
  uid: number
  username: string
  realName: string
  /** Key of the stored picture, for `readPhoto`. */
  photo: string | null
  type: 0 | 1 | 2 | 3
  departmentId: number
  departmentName: string
  departmentType: number
  parent: string | null
  mobile: string | null
  isExpired: boolean
  /** Until it must be changed; nothing once it has expired. */
  passwordDaysLeft: number
  enable2fa: boolean
  areaName: string | null
  largeScreenTitle: string | null
  enableDeviceActiveStats: boolean
  /** The organisation entered by `loginSingle`, when it is not one's own. */
  operating: { departmentId: number; departmentName: string; departmentType: number; path: PathStep[] } | null
}
export interface LoginInfo {
  uid: number
  username: string
  type: number
  departmentId: number
  departmentName: string
  departmentType: number
  enable2fa: true
}
export interface SignedIn {
  token: string
  user: SessionUser
}
export interface PendingTwoFactor {
  enable2fa: true
  loginInfo: LoginInfo
  ticket: string
}

const nothing = z.strictObject({})
const credential = z.string().min(1).max(128)
/** Checked by value, not by shape: what people paste is refused by the same code as a wrong one. */
const code = z.string().max(32)
const cipher = z.string().min(1).max(4096)

export const captcha = defineEndpoint<{ enabled: boolean; uuid?: string; image?: string }>()({
  name: 'captcha',
  method: 'GET',
  path: '/api/v1/captcha',
  perm: 'public',
  scope: 'public',
  input: nothing,
})
export const publicKey = defineEndpoint<{ publicKey: string; nonce: string }>()({
  name: 'publicKey',
  method: 'GET',
  path: '/api/v1/publicKey',
  perm: 'public',
  scope: 'public',
  input: nothing,
})
export const login = defineEndpoint<SignedIn | PendingTwoFactor>()({
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
})
export const loginWith2Fa = defineEndpoint<SignedIn>()({
  name: 'loginWith2Fa',
  method: 'POST',
  path: '/api/v1/loginWith2Fa',
  perm: 'public',
  scope: 'public',
  input: z.strictObject({ ticket: z.string().max(128), code }),
})
/** A token of a trusted external system, signed, single use, 60 s. It stands for the password, not for the second factor. */
export const getAuthInfo = defineEndpoint<SignedIn | PendingTwoFactor>()({
  name: 'getAuthInfo',
  method: 'POST',
  path: '/api/v1/getAuthInfo',
  perm: 'public',
  scope: 'public',
  input: z.strictObject({ token: z.string().max(4096) }),
})
export const sendSmsCode = defineEndpoint<Record<never, never>>()({
  name: 'sendSmsCode',
  method: 'POST',
  path: '/api/v1/login/smsCode',
  perm: 'public',
  scope: 'public',
  input: z.strictObject({ uuid: z.string().max(64).optional(), code: code.optional(), mobile: mobile().schema }),
})
export const loginWithSms = defineEndpoint<SignedIn | PendingTwoFactor>()({
  name: 'loginWithSms',
  method: 'POST',
  path: '/api/v1/login/sms',
  perm: 'public',
  scope: 'public',
  input: z.strictObject({ mobile: z.string().max(20), code }),
})
export const startScanLogin = defineEndpoint<{ ticket: string; url: string }>()({
  name: 'startScanLogin',
  method: 'POST',
  path: '/api/v1/scanLogin',
  perm: 'public',
  scope: 'public',
  quiet: true,
  input: nothing,
})
export const pollScanLogin = defineEndpoint<{ state: 'waiting' | 'confirmed' | 'expired' } & Partial<SignedIn>>()({
  name: 'pollScanLogin',
  method: 'POST',
  path: '/api/v1/scanLogin/poll',
  perm: 'public',
  scope: 'public',
  quiet: true,
  input: z.strictObject({ ticket: z.string().max(128) }),
})
/** An already signed-in browser lets another one in. */
export const confirmScanLogin = defineEndpoint<Record<never, never>>()({
  name: 'confirmScanLogin',
  method: 'POST',
  path: '/api/v1/oauth/scanLogin/confirm',
  perm: 'signedIn',
  scope: 'self',
  input: z.strictObject({ code: z.string().max(128) }),
})
export const loginSingle = defineEndpoint<SignedIn>()({
  name: 'loginSingle',
  method: 'POST',
  path: '/api/v1/oauth/login/single',
  perm: 'signedIn',
  scope: 'self',
  input: z.strictObject({ departmentId: idOf('organisation') }),
})
export const refreshSession = defineEndpoint<{ expiresAt: string; user: SessionUser }>()({
  name: 'refreshSession',
  method: 'POST',
  path: '/api/v1/oauth/refreshSession',
  perm: 'signedIn',
  scope: 'self',
  whileExpired: true,
  quiet: true,
  input: nothing,
})
export const logout = defineEndpoint<Record<never, never>>()({
  name: 'logout',
  method: 'DELETE',
  path: '/api/v1/oauth/logout',
  perm: 'signedIn',
  scope: 'self',
  whileExpired: true,
  input: nothing,
})
export const changePassword = defineEndpoint<SignedIn>()({
  name: 'changePassword',
  method: 'PUT',
  path: changePasswordPath,
  perm: 'signedIn',
  scope: 'self',
  whileExpired: true,
  input: z.strictObject({ oldPassword: cipher, newPassword: cipher }),
})
export const navigation = defineEndpoint<{ permissions: string[]; navigationMenu: MenuItem[] }>()({
  name: 'navigation',
  method: 'GET',
  path: '/api/v1/oauth/navigation',
  perm: 'signedIn',
  scope: 'self',
  whileExpired: true,
  input: nothing,
})
export const liveTicket = defineEndpoint<{ ticket: string }>()({
  name: 'liveTicket',
  method: 'POST',
  path: '/api/v1/oauth/liveTicket',
  perm: 'signedIn',
  scope: 'self',
  quiet: true,
  input: nothing,
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
