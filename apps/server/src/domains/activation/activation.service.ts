import { createHash, randomBytes, randomInt } from 'node:crypto'
import {
  AppError,
  type activate,
  activationErrors,
  type codeLabels,
  type createCodes,
  deviceErrors,
  devicesMax,
  gatewayErrors,
  serialMax,
  serialNumber,
} from '@campanile/contract'
import type { z } from 'zod'
import { covers } from '../../kit/actor.ts'
import type { Call, PublicCall } from '../../kit/call.ts'
import { later } from '../../platform/clock.ts'
import type { RateRule } from '../../platform/rate-limit.ts'
import { networkOf } from '../../platform/rate-limit.ts'
import type { SheetRow } from '../../platform/sheet/parse.ts'
import type { Services } from '../../services.ts'
import { enrolDevice, findForeign, serialRows } from '../device/index.ts'
import { findCode, findLabels, findPath, insertCodes, spendCode } from './activation.store.ts'
import { type LineFault, linesOf, type RawLine, readLines, rowText } from './code-lines.ts'

type Batch = Omit<z.output<typeof createCodes.input>, 'codes'>

const guessing: RateRule = { name: 'activate', limit: 300, seconds: 60, by: 'address' }
/** "Other", where a code does not say what its device is. */
const otherType = 16
/** Without letters that people take for digits; 16 of them are 80 bits. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const daySeconds = 86_400

const newCode = () => Array.from({ length: 16 }, () => alphabet[randomInt(alphabet.length)]).join('')

const refuseLines = (faults: readonly LineFault[]) => {
  const [first] = [...faults].sort((a, b) => a.line - b.line)
  if (!first) return
  const lines = faults.slice(0, 200).map(({ line, spec, sn }) => ({ line, sn, code: spec.code }))
  throw new AppError({ ...first.spec, field: 'codes' }, { line: first.line, sn: first.sn, lines })
}

export const createActivation = ({
  clock,
  config,
  rateLimit,
  devices,
}: Pick<Services, 'clock' | 'config' | 'rateLimit' | 'devices'>) => {
  const make = async (call: Call<Batch>, raw: readonly RawLine[]) => {
    const { db, scope, input } = call
    const departmentId = input.departmentId ?? scope.departmentId
    const path = await findPath(db, departmentId)
    if (!path || !covers(scope, path)) throw new AppError(gatewayErrors.noPermission)
    const { lines, faults } = readLines(raw)
    if (lines.length + faults.length === 0)
      throw new AppError({ ...gatewayErrors.missingParameter, field: 'codes' }, { field: 'codes' })
    if (lines.length + faults.length > devicesMax) throw new AppError(gatewayErrors.tooMany, { limit: devicesMax })
    const foreign = new Set(
      await findForeign(
        db,
        scope,
        lines.map(({ sn }) => sn),
      ),
    )
    const others = lines
      .filter(({ sn }) => foreign.has(sn))
      .map(({ line, sn }) => ({ line, spec: deviceErrors.ownedByAnother, sn }))
    refuseLines([...faults, ...others])
    const codes = lines.map(({ line, sn, code, mac }) => ({ line, sn, activationCode: code ?? newCode(), mac }))
    const { ids, known } = await insertCodes(db, codes, {
      departmentId,
      deviceType: input.deviceType ?? null,
      expireTime: input.validDays ? later(clock.now(), input.validDays * daySeconds) : null,
    })
    refuseLines(known.map((line) => ({ line, spec: activationErrors.codeExists, sn: '' })))
    call.note({ type: 'create', description: `${codes.length}: ${codes[0]?.sn ?? ''}` })
    return {
      created: codes.length,
      codes: codes.map(({ sn, activationCode, mac }) => ({
        id: ids.get(sn),
        sn,
        activationCode,
        qrData: `${sn};${activationCode};${mac ?? ''};`,
      })),
    }
  }

  /** Why a code was not taken. Whoever holds it may know. */
  const refusal = async (db: Call['db'], sn: string, code: string): Promise<AppError> => {
    const found = await findCode(db, code)
    const own = found.find((each) => each.sn === sn)
    if (own) return new AppError(own.used ? activationErrors.codeUsed : activationErrors.authorisationExpired, { sn })
    return new AppError(found.length > 0 ? activationErrors.codeOfAnotherDevice : activationErrors.codeNotFound)
  }

  const exchange = async (tx: Call['db'], sn: string, code: string, credentialHash: Buffer) => {
    const spent = await spendCode(tx, sn, code)
    if (!spent) throw await refusal(tx, sn, code)
    const { departmentId, deviceType, madeOn } = spent
    const enrolment = { sn, departmentId, deviceType: deviceType ?? otherType, batchNumber: madeOn, credentialHash }
    if (!(await enrolDevice(tx, enrolment))) throw new AppError(deviceErrors.ownedByAnother, { sn })
  }

  const use = async (call: PublicCall<z.output<typeof activate.input>>) => {
    const { db, caller, input } = call
    const network = networkOf(caller.ip)
    await rateLimit.take(guessing, network)
    const sn = input.sn.trim()
    if (!sn) throw new AppError(deviceErrors.empty)
    if (sn.length > serialMax || !serialNumber.test(sn)) throw new AppError(deviceErrors.snWrong)
    call.note({ description: sn, claimedName: sn })
    const code = input.code.trim()
    const password = randomBytes(32).toString('base64url')
    const credentialHash = createHash('sha256').update(password).digest()
    // A transaction of its own: the counts of attempts stand outside of it, and outlive what it takes back.
    await db.transaction().execute((tx) => exchange(tx as Call['db'], sn, code, credentialHash))
    await rateLimit.giveBack(guessing, network)
    // The host the device reached us by, so that it finds the way back through whatever lies between.
    const { hostname } = new URL(caller.origin)
    return {
      username: sn,
      password,
      mqttUrl: `${config.mqttTls ? 'mqtts' : 'mqtt'}://${hostname}:${devices.port}`,
      serverTime: clock.now().toISOString(),
    }
  }

  return {
    makeOfLines: (call: Call<z.output<typeof createCodes.input>>) => make(call, linesOf(call.input.codes)),
    makeOfSheet: (call: Call<Batch>, rows: readonly SheetRow[]) =>
      make(
        call,
        serialRows(rows).map(({ row, cells }) => ({ line: row, text: rowText(cells) })),
      ),
    labels: async ({ db, scope, input, note }: Call<z.output<typeof codeLabels.input>>) => {
      const rows = await findLabels(db, scope, input.ids)
      const missing = input.ids.find((id) => !rows.some((row) => row.id === id))
      if (missing !== undefined) throw new AppError(gatewayErrors.resourceNotFound, { id: missing })
      note({ type: 'read', description: `${rows.length}: ${rows[0]?.sn ?? ''}` })
      return { rows }
    },
    use,
  }
}
