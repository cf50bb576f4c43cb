/** readings 83: which rule the installation chose for new passwords. */
export type SecretProfile = 'admin' | 'short'

interface Rule {
  /** Text key below `kit.secret`. */
  name: 'length' | 'letter' | 'digit' | 'special' | 'kinds' | 'characters'
  values?: { min: number; max: number }
  holds: (secret: string) => boolean
}

const length = (min: number, max: number): Rule => ({
  name: 'length',
  values: { min, max },
  holds: (secret) => secret.length >= min && secret.length <= max,
})
const kinds = [/[A-Z]/, /[a-z]/, /\d/, /[!@#$%^&.*]/]

export const secretRules: Readonly<Record<SecretProfile, readonly Rule[]>> = {
  admin: [
    length(8, 64),
    { name: 'letter', holds: (secret) => /[A-Za-z]/.test(secret) },
    { name: 'digit', holds: (secret) => /\d/.test(secret) },
    { name: 'special', holds: (secret) => /[!-/:-@[-`{-~]/.test(secret) },
  ],
  short: [
    length(6, 16),
    { name: 'characters', holds: (secret) => /^[A-Za-z0-9!@#$%^&.*]*$/.test(secret) },
    { name: 'kinds', holds: (secret) => kinds.filter((kind) => kind.test(secret)).length >= 3 },
  ],
}

export const keepsPolicy = (profile: SecretProfile, secret: string): boolean =>
  secretRules[profile].every((rule) => rule.holds(secret))
