import { enableTwoFactor, login, type PendingTwoFactor, startTwoFactor } from '@campanile/contract'
import { stepAt, totpCode } from '../domains/identity/totp.ts'
import { type CallOptions, sealedPassword, type TestApp, testPassword } from './app.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
export const decodeBase32 = (text: string) => {
  const bits = [...text].map((character) => alphabet.indexOf(character).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

type App = Pick<TestApp, 'call' | 'clock' | 'signIn'>

/** An authenticator app: the code of now, or of some steps away. */
export const authenticatorFor =
  ({ clock }: App, secret: string) =>
  (away = 0) =>
    totpCode(decodeBase32(secret), stepAt(clock.now()) + away)

/** A person whose sign-in needs a second step from now on. */
export const enrolInTwoFactor = async (test: App, username: string) => {
  const { token } = await test.signIn(username)
  const started = await test.call(startTwoFactor, { password: await sealedPassword(test, testPassword) }, { token })
  const { secret } = started.data as { secret: string }
  const code = authenticatorFor(test, secret)
  const enabled = await test.call(enableTwoFactor, { code: code() }, { token })
  // The code just used is spent; the next one is two steps away.
  test.clock.advance(60)
  return { token, code, secret, recoveryCodes: enabled.data.recoveryCodes as string[] }
}

/** What the right password leads to. */
export const askForSecondStep = async (test: App, username: string, options: CallOptions = {}) =>
  (await test.call(login, { username, password: testPassword }, options)).data as unknown as PendingTwoFactor
