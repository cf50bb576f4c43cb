import { checkPassword, type PasswordFault, type PasswordProfile, passwordLimits } from '@campanile/contract'

export type Rule = 'length' | 'letter' | 'digit' | 'special' | 'threeKinds' | 'character'
export interface Hint {
  rule: Rule
  holds: boolean
}

const brokenBy: Readonly<Record<Rule, readonly PasswordFault[]>> = {
  length: ['tooShort', 'tooLong'],
  letter: ['letter'],
  digit: ['digit'],
  special: ['special'],
  threeKinds: ['threeKinds'],
  character: ['character'],
}

const rulesOf: Readonly<Record<PasswordProfile, readonly Rule[]>> = {
  admin: ['length', 'letter', 'digit', 'special'],
  short: ['length', 'threeKinds', 'character'],
}

/** The rules of the profile in force, each with whether the password keeps it. Nothing typed keeps none. */
export function hintsFor(profile: PasswordProfile, password: string): Hint[] {
  const verdict = checkPassword(profile, password)
  const faults: readonly PasswordFault[] = verdict === 'ok' ? [] : verdict
  const hint = (rule: Rule): Hint => ({
    rule,
    holds: password !== '' && !brokenBy[rule].some((fault) => faults.includes(fault)),
  })
  const rules = rulesOf[profile]
  // A character nobody types on purpose is only worth a line when it is there.
  const unexpected = faults.filter((fault) => !rules.some((rule) => brokenBy[rule].includes(fault)))
  return [...rules.map(hint), ...(unexpected.includes('character') ? [hint('character')] : [])]
}

export const keepsEveryRule = (profile: PasswordProfile, password: string): boolean =>
  checkPassword(profile, password) === 'ok'

export const limitsOf = (profile: PasswordProfile) => passwordLimits[profile]
