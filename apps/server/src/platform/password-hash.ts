import { AppError, commonErrors } from '@campanile/contract'
import { hash, verify } from '@node-rs/argon2'

// OWASP's floor for argon2id, which is what the library makes unless told otherwise. 19 MiB each, hence the bound below.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Two cores: a third at once would only make all three slower and hold 19 MiB more. */
const atOnce = 2
/** Who would wait longer than about ten seconds is told so at once. */
const mostWaiting = 500
let running = 0
const waiting: (() => void)[] = []

const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  if (waiting.length >= mostWaiting) throw new AppError(commonErrors.serviceBusy)
  if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

/** Compared exactly as typed: no trimming, no folding. */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, cost))

export const verifyPassword = (stored: string, password: string): Promise<boolean> =>
  inTurn(() => verify(stored, password))

let decoy: Promise<string> | undefined
/** As long as a real check and never right: for names that do not exist. */
export const verifyNothing = async (password: string): Promise<false> => {
  decoy ??= hashPassword(Math.random().toString(36))
  await verifyPassword(await decoy, password)
  return false
}
