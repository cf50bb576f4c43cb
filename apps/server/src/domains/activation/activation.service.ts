import { randomInt } from 'node:crypto'
import {
  AppError,
  activationErrors,
  codeAlphabet,
  codeLabels,
  codeLength,
  commonErrors,
  type createCodes,
  deviceErrors,
  devicesMax,
  secretMask,
  unusedCodesMax,
} from '@campanile/contract'
import type { z } from 'zod'
import { covers } from '../../kit/actor.ts'
import type { Call } from '../../kit/call.ts'
import { touchRows } from '../../kit/touched.ts'
import { addSeconds } from '../../platform/clock.ts'
import type { SheetRow } from '../../platform/sheet/parse.ts'
import type { Services } from '../../services.ts'
import {
  type ForeignSerials,
  findBySns,
  findDeviceTypes,
  findForeign,
  findJoined,
  lockSerials,
  serialRows,
} from '../device/index.ts'
import {
  countUnused,
  enterpriseOf,
  findLabels,
  findPath,
  insertCodes,
  qrDataOf,
  unrevealed,
  voidOthers,
} from './activation.store.ts'
import { type LineFault, linesOf, type RawLine, readLines, rowText } from './code-lines.ts'
import type { CodeSeal } from './code-seal.ts'
import type { GuessLock } from './guess-lock.ts'

type Batch = Omit<z.output<typeof createCodes.input>, 'codes'>

const daySeconds = 86_400

const newCode = () =>
  Array.from({ length: codeLength.made }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join('')

const refuseLines = (faults: readonly LineFault[]) => {
  const [first] = [...faults].sort((a, b) => a.line - b.line)
  if (!first) return
  const lines = faults.slice(0, 200).map(({ line, spec, sn }) => ({ line, sn, code: spec.code }))
  throw new AppError(
    { ...first.spec, field: 'codes' },
    { line: first.line, sn: first.sn, value: first.value ?? '', lines },
  )
}

export const createActivation = ({
  clock,
  codes,
  lock,
  foreign,
}: Pick<Services, 'clock'> & { codes: CodeSeal; lock: GuessLock; foreign: ForeignSerials }) => {
  /** Lines about devices of others, as far as the caller may learn of so many. */
  const foreignLines = async (
    { db, actor, scope, note }: Call<Batch>,
    lines: readonly { line: number; sn: string }[],
  ): Promise<LineFault[]> => {
    const sns = lines.map(({ sn }) => sn)
    await lockSerials(db)
    const taken = new Set(await findForeign(db, scope, sns))
    const others = lines.filter(({ sn }) => taken.has(sn))
    // Whoever tries out numbers leaves a line that says how many.
    if (others.length > 0)
      note({ type: 'create', description: `${lines.length}: ${others.length} × ${deviceErrors.ownedByAnother.code}` })
    const { named, silent } = await foreign.learn(db, actor, others.length)
    const own = silent ? new Set((await findBySns(db, scope, sns)).map(({ sn }) => sn)) : undefined
    if (named === 0 && own && sns.some((sn) => !own.has(sn))) throw foreign.refusal()
    return others.slice(0, named).map(({ line, sn }) => ({ line, spec: deviceErrors.ownedByAnother, sn }))
  }

  const make = async (call: Call<Batch>, raw: readonly RawLine[], unusable: readonly LineFault[] = []) => {
    const { db, scope, input } = call
    const departmentId = input.departmentId ?? scope.departmentId
    const path = await findPath(db, departmentId)
    if (!path || !covers(scope, path)) throw new AppError(deviceErrors.departmentUnknown)
    if (input.deviceType !== undefined && (await findDeviceTypes(db, [input.deviceType])).size === 0)
      throw new AppError(deviceErrors.typeUnknown)
    // Counted before each is read: reading them takes its time.
    if (raw.length + unusable.length > devicesMax) throw new AppError(commonErrors.tooMany, { limit: devicesMax })
    const { lines, faults: unread } = readLines(raw)
    const faults = [...unusable, ...unread]
    if (lines.length + faults.length === 0)
      throw new AppError({ ...commonErrors.missingParameter, field: 'codes' }, { field: 'codes' })
    const handingOut = scope.by?.(codeLabels.perm)
    const mayHandOut = Boolean(handingOut && covers(handingOut, path))
    const foreignFaults = await foreignLines(call, lines)
    // Whoever knows the code of a device that is bound takes its place: that is for those who may hand codes out.
    const joined = mayHandOut
      ? new Set<string>()
      : await findJoined(
          db,
          lines.map(({ sn }) => sn),
        )
    const held = lines.filter(({ sn }) => joined.has(sn))
    refuseLines([
      ...faults,
      ...foreignFaults,
      ...held.map(({ line, sn }) => ({ line, spec: activationErrors.alreadyActivated, sn })),
    ])
    const made = lines.map(({ line, sn, code, mac }) => ({ line, sn, activationCode: code ?? newCode(), mac }))
    const { ids, known } = await insertCodes(db, codes, made, {
      path,
      departmentId,
      deviceType: input.deviceType ?? null,
      expireTime: input.validDays ? addSeconds(clock.now(), input.validDays * daySeconds) : null,
    })
    refuseLines(known.map((line) => ({ line, spec: activationErrors.codeExists, sn: '' })))
    await voidOthers(db, path, { sns: made.map(({ sn }) => sn), except: [...ids.values()] })
    if ((await countUnused(db, path)) > unusedCodesMax)
      throw new AppError(activationErrors.tooManyUnused, { limit: unusedCodesMax })
    call.note({ type: 'create', description: `${made.length}: ${made[0]?.sn ?? ''}` })
    call.touched([{ path, name: made[0]?.sn ?? '' }])
    const enterprise = await enterpriseOf(db, path)
    call.afterCommit(() =>
      lock.lift(
        made.map(({ sn }) => sn),
        enterprise,
      ),
    )
    const shown = (code: string) => (mayHandOut ? code : secretMask)
    return {
      created: made.length,
      codes: made.map(({ sn, activationCode, mac }) => ({
        id: ids.get(sn) as number,
        sn,
        activationCode: shown(activationCode),
        qrData: qrDataOf(sn, shown(activationCode), mac),
      })),
    }
  }

  return {
    makeOfLines: (call: Call<z.output<typeof createCodes.input>>) => make(call, linesOf(call.input.codes)),
    makeOfSheet: (call: Call<Batch>, sheet: readonly SheetRow[]) => {
      const rows = serialRows(sheet, [0, 1, 2])
      const unusable = rows.flatMap(({ row, why }) =>
        why
          ? [{ line: row, spec: { code: why.code, status: why.status }, sn: '', value: String(why.data?.value) }]
          : [],
      )
      const sound = rows.filter(({ why }) => !why)
      return make(
        call,
        sound.map(({ row, cells }) => ({ line: row, text: rowText(cells) })),
        unusable,
      )
    },
    labels: async (call: Call<z.output<typeof codeLabels.input>>) => {
      const { db, scope, input, note } = call
      const rows = await findLabels(db, codes, scope, input.ids)
      const missing = input.ids.find((id) => !rows.some((row) => row.id === id))
      if (missing !== undefined) throw new AppError(commonErrors.resourceNotFound, { id: missing })
      note({ type: 'read', description: `${rows.length}: ${rows[0]?.sn ?? ''}` })
      await touchRows(call, unrevealed, input.ids, (sns) => ({ description: `${sns.length}: ${sns[0] ?? ''}` }))
      return { rows }
    },
  }
}
