import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import {
  AppError,
  type activate,
  activationErrors,
  deviceErrors,
  type InputOf,
  serialMax,
  serialNumber,
} from '@campanile/contract'
import type { RefusalReason } from '../../gateway/wire.ts'
import type { PublicCall } from '../../kit/call.ts'
import type { Db } from '../../platform/db.ts'
import type { Services } from '../../services.ts'
import { type Devices, enrolDevice, hasCredential } from '../device/index.ts'
import { findCode, type Repeatable, spendCode, voidOthers } from './activation.store.ts'
import { tellOfReturn } from './arrivals.ts'
import type { CodeSeal } from './code-seal.ts'
import type { GuessLock } from './guess-lock.ts'

/** "Other", where a code does not say what its device is. */
const otherType = 16

const hashOf = (password: string) => createHash('sha256').update(password).digest()

interface Asked {
  readonly sn: string
  readonly code: string
  readonly key: string | undefined
}

/** What operators are told of a refusal, by its code. The code that was tried is never among it. */
const reasons = new Map<number, RefusalReason>([
  [activationErrors.codeNotFound.code, 'wrongCode'],
  [activationErrors.codeUsed.code, 'codeUsed'],
  [activationErrors.authorisationExpired.code, 'codeExpired'],
  [activationErrors.serialLocked.code, 'activationLocked'],
])

const isUnknownCode = (error: unknown) => error instanceof AppError && error.code === activationErrors.codeNotFound.code
/** Told to somebody who made a code for a number that is another's: as good as a guess, and counted as one. */
const isOthers = (error: unknown) => error instanceof AppError && error.code === deviceErrors.ownedByAnother.code

/** The exchange of a code for a credential. */
export const createActivate = ({
  clock,
  config,
  secrets,
  devices,
  codes,
  lock,
  notify,
  releaseKey,
}: Pick<Services, 'clock' | 'config' | 'secrets' | 'notify'> & {
  devices: Pick<Devices, 'port' | 'refused'>
  codes: CodeSeal
  lock: GuessLock
  releaseKey: string
}) => {
  const answerKey = Buffer.from(hkdfSync('sha256', secrets.sealKey, '', 'activation answer', 32))

  /** Made of what only the device knows and what only we know, so that the same password can be made again and rests nowhere. */
  const passwordFor = ({ sn, code, key }: Asked, salt: Buffer) =>
    createHmac('sha256', answerKey)
      .update(JSON.stringify([sn, code, key, salt.toString('base64')]))
      .digest('base64url')

  /** The password of an answer that was lost: for the same key, for a while, and only while it still opens. */
  const repeated = async (tx: Db, asked: Asked, { keyHash, salt }: { keyHash: Buffer | null; salt: Buffer | null }) => {
    if (!asked.key || !keyHash || !salt || !timingSafeEqual(keyHash, codes.hash(asked.key))) return undefined
    const password = passwordFor(asked, salt)
    return (await hasCredential(tx, asked.sn, hashOf(password))) ? password : undefined
  }

  const exchange = async (tx: Db, asked: Asked): Promise<string> => {
    const { sn, code, key } = asked
    const salt = randomBytes(32)
    const repeat: Repeatable | null = key ? { keyHash: codes.hash(key), salt } : null
    const password = passwordFor(asked, salt)
    const spent = await spendCode(tx, codes, { sn, code, repeat })
    if (spent) {
      const { id, path, departmentId, deviceType, madeOn: batchNumber } = spent
      const enrolment = { sn, departmentId, batchNumber, deviceType: deviceType ?? otherType }
      const enrolled = await enrolDevice(tx, { ...enrolment, credentialHash: hashOf(password) })
      if (!enrolled) throw new AppError(deviceErrors.ownedByAnother, { sn })
      await voidOthers(tx, path, { sns: [sn], except: [id] })
      if (enrolled.again) await tellOfReturn(tx, notify, { sn, departmentId: enrolled.departmentId })
      return password
    }
    const known = await findCode(tx, codes, sn, code)
    // No such code and the code of another device are told in the same words.
    if (!known) throw new AppError(activationErrors.codeNotFound)
    if (!known.used) throw new AppError(activationErrors.authorisationExpired, { sn })
    const again = await repeated(tx, asked, known)
    if (!again) throw new AppError(activationErrors.codeUsed)
    return again
  }

  const attempt = async ({ db, caller, input }: PublicCall<InputOf<typeof activate>>, sn: string) => {
    const { giveBack, flood } = await lock.take(sn, caller.ip)
    const asked = { sn, code: input.code.trim(), key: input.key }
    // A transaction of its own: the counts of attempts stand outside of it, and outlive what it takes back.
    const password = await db
      .transaction()
      .execute((tx) => exchange(tx as Db, asked))
      .catch(async (error: unknown) => {
        // What is ours to mend, or what the code's holder may be told, is no guess.
        if (!isUnknownCode(error) && !isOthers(error)) await giveBack()
        throw flood && isUnknownCode(error) ? flood : error
      })
    await giveBack()
    // The host the device reached us by, so that it finds the way back through whatever lies between.
    const { hostname } = new URL(caller.origin)
    return {
      username: sn,
      password,
      mqttUrl: `${config.mqttTls ? 'mqtts' : 'mqtt'}://${hostname}:${devices.port}`,
      serverTime: clock.now().toISOString(),
      releaseKey,
    }
  }

  return async (call: PublicCall<InputOf<typeof activate>>) => {
    const sn = call.input.sn.trim()
    if (!sn) throw new AppError(deviceErrors.empty)
    if (sn.length > serialMax || !serialNumber.test(sn)) throw new AppError(deviceErrors.snWrong)
    call.note({ description: sn, claimedName: sn })
    return attempt(call, sn).catch((error: unknown) => {
      const reason = error instanceof AppError && reasons.get(error.code)
      if (reason) devices.refused([{ sn, address: call.caller.ip, reason }])
      throw error
    })
  }
}
