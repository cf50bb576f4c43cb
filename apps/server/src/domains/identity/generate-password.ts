import { randomInt } from 'node:crypto'
import { checkPassword } from '@campanile/contract'

/** Nothing that is read as something else: no 0 and O, no 1, l and I. */
const legible = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** 14 letters and digits are 81 bits; the dots make it readable and satisfy either password rule. */
export const generatePassword = (): string => {
  const letters = (count: number) =>
    Array.from({ length: count }, () => legible.charAt(randomInt(legible.length))).join('')
  const password = `${letters(4)}.${letters(4)}.${letters(6)}`
  const fits = checkPassword('admin', password) === 'ok' && checkPassword('short', password) === 'ok'
  return fits ? password : generatePassword()
}
