/** Every account of the demonstration has it, and the README tells it: good for looking around on one's own machine only. */
export const demoPassword = 'Harbour-2026!'

/** Values that products have shipped, documented or copied around; none of them keeps anything secret. */
const known = new Set([
  demoPassword.toLowerCase(),
  'admin',
  'admin123',
  'admin@123',
  'administrator',
  'campanile',
  'change-me',
  'changeit',
  'changeme',
  'changeme1!',
  'default',
  'p@ssw0rd',
  'passw0rd',
  'password',
  'password1!',
  'password123',
  'postgres',
  'root',
  'secret',
  'sysadmin',
  'test',
  'thingsboard',
  'thingsboarddefaultsigningkey',
])

/** One repeated unit (`0000`, `abcabc`) is as guessable as a listed word. */
export const isKnownDefault = (value: string): boolean => {
  const plain = value.trim().toLowerCase()
  return known.has(plain) || /^(.{1,4})\1+$/.test(plain)
}
