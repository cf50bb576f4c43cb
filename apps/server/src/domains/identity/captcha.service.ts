import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { AppError, identityErrors } from '@campanile/contract'
import type { Caller } from '../../kit/call.ts'
import { networkOf } from '../../platform/address.ts'
import { later } from '../../platform/clock.ts'
import type { RateRule } from '../../platform/rate-limit.ts'
import type { Services } from '../../services.ts'
import { captchaAnswer, drawCaptcha } from './captcha.drawing.ts'
import { insertCaptcha, takeCaptcha } from './captcha.store.ts'

const validSeconds = 120
const drawing: RateRule = { name: 'captcha', limit: 120, seconds: 60, by: 'address' }

type Deps = Pick<Services, 'db' | 'clock' | 'rateLimit' | 'config' | 'secrets'>

export const createCaptchas = ({ db, clock, rateLimit, config, secrets }: Deps) => {
  // Four characters are few enough to try them all; the key keeps a copy of the table from being one of answers.
  const hashAnswer = (uuid: string, answer: string) =>
    createHmac('sha256', secrets.signingKey).update(`captcha ${uuid} ${answer.trim().toUpperCase()}`).digest()

  const draw = async (caller: Caller) => {
    if (!config.captcha) return { enabled: false }
    await rateLimit.take(drawing, networkOf(caller.ip))
    const uuid = randomUUID()
    const answer = captchaAnswer()
    await insertCaptcha(db, uuid, hashAnswer(uuid, answer), later(clock.now(), validSeconds))
    return { enabled: true, uuid, image: drawCaptcha(answer) }
  }

  /** Single use, also when the answer is wrong. */
  const check = async ({ uuid, code }: { uuid?: string | undefined; code?: string | undefined }): Promise<void> => {
    if (!config.captcha) return
    if (!uuid) throw new AppError(identityErrors.captchaIdMissing)
    const expected = await takeCaptcha(db, uuid, clock.now())
    if (!expected || !timingSafeEqual(expected, hashAnswer(uuid, code ?? '')))
      throw new AppError(identityErrors.wrongCaptcha)
  }

  return { draw, check }
}

export type Captchas = ReturnType<typeof createCaptchas>
