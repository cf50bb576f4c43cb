import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { AppError, identityErrors } from '@campanile/contract'
import type { Caller } from '../../kit/call.ts'
import { networkOf } from '../../platform/address.ts'
import { addSeconds } from '../../platform/clock.ts'
import type { RateRule } from '../../platform/rate-limit.ts'
import type { Services } from '../../services.ts'
import { captchaAnswer, drawCaptcha } from './captcha.drawing.ts'
import { insertCaptcha, takeCaptcha } from './captcha.store.ts'
import type { WrongPasswords } from './wrong-passwords.ts'

const validSeconds = 120
/** A school of five hundred signs in within a minute, some of them at the second picture. */
const drawing: RateRule = { name: 'captcha', limit: 3000, seconds: 60, by: 'address' }

type Deps = Pick<Services, 'db' | 'clock' | 'rateLimit' | 'config' | 'secrets'> & {
  readonly wrongPasswords: WrongPasswords
}

interface Answer {
  readonly uuid?: string | undefined
  readonly code?: string | undefined
}

export const createCaptchas = ({ db, clock, rateLimit, config, secrets, wrongPasswords }: Deps) => {
  // Four characters are few enough to try them all; the key keeps a copy of the table from being one of answers.
  const hashAnswer = (uuid: string, answer: string) =>
    createHmac('sha256', secrets.signingKey).update(`captcha ${uuid} ${answer.trim().toUpperCase()}`).digest()

  const draw = async (caller: Caller) => {
    if (!config.captcha && (await wrongPasswords.demandAt(caller.ip)).asks === 'nothing') return { enabled: false }
    await rateLimit.take(drawing, networkOf(caller.ip))
    const uuid = randomUUID()
    const answer = captchaAnswer()
    await insertCaptcha(db, uuid, hashAnswer(uuid, answer), addSeconds(clock.now(), validSeconds))
    return { enabled: true, uuid, image: drawCaptcha(answer) }
  }

  /** Single use, also when the answer is wrong. */
  const solve = async ({ uuid, code }: Answer): Promise<void> => {
    if (!uuid) throw new AppError(identityErrors.captchaIdMissing)
    const expected = await takeCaptcha(db, uuid, clock.now())
    if (!expected || !timingSafeEqual(expected, hashAnswer(uuid, code ?? '')))
      throw new AppError(identityErrors.wrongCaptcha)
  }

  const check = async (answer: Answer): Promise<void> => {
    if (config.captcha) await solve(answer)
  }

  /** Where pictures are asked for by what happened at an address: whether one was read. A wrong reading is refused. */
  const hasRead = async (answer: Answer): Promise<boolean> => {
    if (config.captcha || answer.uuid) await solve(answer)
    return config.captcha || Boolean(answer.uuid)
  }

  return { draw, check, hasRead }
}

export type Captchas = ReturnType<typeof createCaptchas>
