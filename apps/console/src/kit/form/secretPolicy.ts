import { checkPassword, type PasswordFault, type PasswordProfile, passwordLimits } from '@campanile/contract'

/** A line below the field (`kit.secret.<name>`) and what breaks it. */
interface Rule {
  name: 'length' | 'letter' | 'digit' | 'special' | 'kinds' | 'characters'
  brokenBy: readonly PasswordFault[]
}
const length: Rule = { name: 'length', brokenBy: ['tooShort', 'tooLong'] }

const rules: Readonly<Record<PasswordProfile, readonly Rule[]>> = {
  admin: [
    length,
    { name: 'letter', brokenBy: ['letter'] },
    { name: 'digit', brokenBy: ['digit'] },
    { name: 'special', brokenBy: ['special'] },
  ],
  short: [length, { name: 'kinds', brokenBy: ['threeKinds'] }, { name: 'characters', brokenBy: ['character'] }],
}

/** What the installation asks of a new password, each with whether this one keeps it; nothing typed keeps none. */
export const secretHints = (profile: PasswordProfile, secret: string) => {
  const verdict = checkPassword(profile, secret)
  const faults = verdict === 'ok' ? [] : verdict
  return rules[profile].map(({ name, brokenBy }) => ({
    name,
    holds: secret !== '' && !brokenBy.some((fault) => faults.includes(fault)),
    limits: passwordLimits[profile],
  }))
}

export const keepsPolicy = (profile: PasswordProfile, secret: string): boolean =>
  checkPassword(profile, secret) === 'ok'
