import type { ConfigValues } from '../system/config.ts'
import { isKnownDefault } from './known-defaults.ts'

export type PasswordProfile = ConfigValues['passwordProfile']

/** The profile in force is a setting; both ends ask this table (behaviour: sign-in.password-profile). */
export const passwordLimits = { admin: { min: 8, max: 64 }, short: { min: 6, max: 16 } } as const

/** So many days before changing it becomes a must, whatever age is allowed (behaviour: sign-in.password-age). */
export const passwordWarningDays = 10

export type PasswordFault =
  | 'tooShort'
  | 'tooLong'
  | 'letter'
  | 'digit'
  | 'special'
  | 'threeKinds'
  | 'character'
  | 'wellKnown'

const symbols = /[!@#$%^&.*]/
/** Any printable ASCII punctuation (behaviour: sign-in.password-profile). */
const punctuation = /[!-/:-@[-`{-~]/

const faultsByProfile: Record<PasswordProfile, (text: string) => (PasswordFault | false)[]> = {
  admin: (text) => [
    !/\p{L}/u.test(text) && 'letter',
    !/\d/.test(text) && 'digit',
    !punctuation.test(text) && 'special',
    /\p{Cc}/u.test(text) && 'character',
  ],
  short: (text) => [
    [/[A-Z]/, /[a-z]/, /\d/, symbols].filter((kind) => kind.test(text)).length < 3 && 'threeKinds',
    !/^[A-Za-z0-9!@#$%^&.*]*$/.test(text) && 'character',
  ],
}

/** What a new password lacks, in the order people read it. Signing in never asks. */
export const checkPassword = (profile: PasswordProfile, text: string): 'ok' | PasswordFault[] => {
  const { min, max } = passwordLimits[profile]
  const length = [...text].length
  const faults = [
    length < min && 'tooShort',
    length > max && 'tooLong',
    ...faultsByProfile[profile](text),
    isKnownDefault(text) && 'wellKnown',
  ] as const
  const found = faults.filter((fault) => fault !== false)
  return found.length === 0 ? 'ok' : found
}
