import { checkPassword, type PasswordFault, type PasswordProfile, passwordLimits } from '@campanile/contract/identity'

/** Text key below `kit.secret`. */
export type Rule = 'length' | 'letter' | 'digit' | 'special' | 'kinds' | 'characters' | 'notKnown'
export interface Hint {
  rule: Rule
  holds: boolean
}

const brokenBy: Readonly<Record<Rule, readonly PasswordFault[]>> = {
  length: ['tooShort', 'tooLong'],
  letter: ['letter'],
  digit: ['digit'],
  special: ['special'],
  kinds: ['threeKinds'],
  characters: ['character'],
  notKnown: ['wellKnown'],
}

const rulesOf: Readonly<Record<PasswordProfile, readonly Rule[]>> = {
  admin: ['length', 'letter', 'digit', 'special'],
  short: ['length', 'kinds', 'characters'],
}

/** The rules of the profile in force, each with whether the secret keeps it. Nothing typed keeps none. */
export function hintsFor(profile: PasswordProfile, secret: string): Hint[] {
  const verdict = checkPassword(profile, secret)
  const faults: readonly PasswordFault[] = verdict === 'ok' ? [] : verdict
  const hint = (rule: Rule): Hint => ({
    rule,
    holds: secret !== '' && !brokenBy[rule].some((fault) => faults.includes(fault)),
  })
  const rules = rulesOf[profile]
  // What nobody types on purpose is only worth a line when it is there.
  const rare = (['characters', 'notKnown'] as const).filter(
    (rule) => !rules.includes(rule) && brokenBy[rule].some((fault) => faults.includes(fault)),
  )
  return [...rules, ...rare].map(hint)
}

export const keepsPolicy = (profile: PasswordProfile, secret: string): boolean =>
  checkPassword(profile, secret) === 'ok'

export const limitsOf = (profile: PasswordProfile) => passwordLimits[profile]
