import {
  AppError,
  commonErrors,
  type Draft,
  identityErrors,
  type ListQuery,
  notByOneself,
  type Patch,
  type Row,
  type user,
  userType,
} from '@campanile/contract'
import { PartialAnswer } from '../../kit/answer.ts'
import type { Call } from '../../kit/call.ts'
import { findRow, insertRow, listRows, removeRows, updateRow } from '../../kit/rows.ts'
import { hashPassword } from '../../platform/password-hash.ts'
import type { Services } from '../../services.ts'
import { clearAttempts, storePassword } from './account.store.ts'
import { usernameKey } from './account.ts'
import type { Passwords } from './password.service.ts'
import { findPlace } from './place.store.ts'
import { roleName } from './role-presets.ts'
import { endSessionsOf } from './session.store.ts'
import {
  dropTwoFactor,
  hasTwoFactor,
  lockStanding,
  replaceRoles,
  rolesOfUsers,
  setDisabled,
  wantTwoFactor,
} from './user.store.ts'
import { userTable } from './user.table.ts'
import {
  mayChangeType,
  mayHaveType,
  mustBeAddresses,
  mustBeGivable,
  mustBePeriod,
  mustNotExceed,
  placeInReach,
} from './user-rules.ts'

type UserRow = Row<typeof user>
type One = { id: number }

/** What a running session was opened under; after a change the person signs in again. */
const endsSessions = ['type', 'departmentId', 'whitelistIp', 'validStart', 'validEnd'] as const

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

interface Deps extends Pick<Services, 'clock'> {
  readonly passwords: Pick<Passwords, 'decrypt' | 'refuseWeak'>
}

export const createUsers = ({ clock, passwords }: Deps) => {
  const hashPlain = async (password: string) => {
    await passwords.refuseWeak(password, 'other')
    return hashPassword(password)
  }
  const hashNew = async ({ db }: Call, cipher: string) => hashPlain(await passwords.decrypt(db, cipher))

  const list = async (call: Call<ListQuery>) => {
    const page = await listRows(call.db, userTable, call.scope, call.input)
    const roles = await rolesOfUsers(
      call.db,
      call.scope,
      page.rows.map((row) => row.id),
    )
    const named = (id: number) =>
      roles
        .filter((role) => role.userId === id)
        .map((role) => roleName(role, call.caller.language))
        .join(', ')
    return { ...page, rows: page.rows.map((row) => ({ ...row, roleNames: named(row.id) })) }
  }

  /** Somebody in reach whose rights do not exceed the caller's; locked for the rest of the transaction. */
  const target = async (call: Call, id: number) => {
    const standing = await lockStanding(call.db, id)
    const row = await findRow(call.db, userTable, call.scope, id).catch(() => undefined)
    if (!standing || !row) throw new AppError(identityErrors.userNotFound)
    await mustNotExceed(call.db, call.actor, { type: row.type, roleIds: standing.roleIds })
    return { row, standing }
  }

  const enrol = async (call: Call<Draft<typeof user>>, hash: () => Promise<string>) => {
    const { db, actor, scope, input } = call
    const key = usernameKey(input.username)
    if (!key) throw new AppError(identityErrors.userNameEmpty)
    mustBePeriod(input)
    mustBeAddresses(input.whitelistIp)
    const place = await placeInReach(db, scope, input.departmentId)
    mayHaveType(actor, input.type ?? userType.operator, place)
    await mustBeGivable(db, actor, scope, input.roleIds)
    const also = {
      usernameKey: key,
      passwordHash: await hash(),
      passwordChangedAt: clock.now(),
      creatorId: actor.id,
      whitelistIp: input.whitelistIp ?? [],
      notifyType: input.notifyType ?? [],
    }
    const id = await insertRow(db, userTable, scope, input, also)
    await replaceRoles(db, id, input.roleIds)
    return { id }
  }

  const create = (call: Call<Draft<typeof user>>) => enrol(call, () => hashNew(call, call.input.password))

  /** Passwords in a spreadsheet are plain: no browser encrypts a file's cells. */
  const createImported = (call: Call<Draft<typeof user>>) => enrol(call, () => hashPlain(call.input.password))

  /** What can be told of a row of a spreadsheet without trying it. */
  const checkImported = async ({ input }: Call<Draft<typeof user>>) => {
    if (!usernameKey(input.username)) throw new AppError(identityErrors.userNameEmpty)
    mustBePeriod(input)
    mustBeAddresses(input.whitelistIp)
  }

  const mayChangeOneself = (row: UserRow, patch: Patch<typeof user>) => {
    const refused = notByOneself.find(
      (name) => patch[name] !== undefined && (name === 'password' ? patch.password : !same(patch[name], row[name])),
    )
    if (refused) throw new AppError({ ...commonErrors.noPermission, field: refused })
  }

  /** A second factor protects its owner from whoever could set the password; only an equal may pass it by. */
  const maySetPassword = async (call: Call, target: { enable2fa: boolean }) => {
    if (target.enable2fa && !(await hasTwoFactor(call.db, call.actor.id)))
      throw new AppError(identityErrors.resetNeedsTwoFactor)
  }

  const update = async (call: Call<Patch<typeof user>>) => {
    const { db, actor, scope, input } = call
    const { row, standing } = await target(call, input.id)
    if (row.id === actor.id) mayChangeOneself(row, input)
    const wanted = { ...row, ...input }
    mustBePeriod(wanted)
    mustBeAddresses(input.whitelistIp)
    const movesTo = wanted.departmentId !== row.departmentId ? wanted.departmentId : null
    const retyped = wanted.type !== row.type
    if (standing.isDefault && (movesTo || retyped)) throw new AppError(identityErrors.userTypeFixed)
    if (movesTo || retyped) {
      const place = movesTo ? await placeInReach(db, scope, movesTo) : await findPlace(db, row.departmentId)
      if (!place) throw new AppError(identityErrors.departmentRequired)
      mayChangeType(actor, row.type, wanted.type ?? row.type, place)
      if (movesTo) mayHaveType(actor, wanted.type ?? row.type, place)
    }
    if (input.roleIds) await mustBeGivable(db, actor, scope, input.roleIds)
    // Roles the caller is not told of are not theirs to take away by leaving them out.
    const untold = standing.roleIds.filter((id) => !row.roleIds.includes(id))
    const { password, whitelistIp, notifyType, ...rest } = input
    const also = {
      ...(whitelistIp !== undefined && { whitelistIp: whitelistIp ?? [] }),
      ...(notifyType !== undefined && { notifyType: notifyType ?? [] }),
      // A number signs in only after its owner has confirmed it.
      ...(!same(wanted.mobile, row.mobile) && { confirmedMobile: null }),
    }
    await updateRow(call, userTable, rest, also)
    const newRoles = input.roleIds ? await replaceRoles(db, row.id, [...input.roleIds, ...untold]) : false
    if (password) await setPassword(call, row, password)
    if (newRoles || endsSessions.some((name) => !same(wanted[name], row[name])))
      await endSessionsOf(db, [row.id], clock.now())
    return {}
  }

  const setPassword = async (call: Call, row: UserRow, cipher: string) => {
    await maySetPassword(call, row)
    await storePassword(call.db, row.id, await hashNew(call, cipher), clock.now())
    await clearAttempts(call.db, row.id)
    await endSessionsOf(call.db, [row.id], clock.now())
  }

  const refusalOf = (call: Call, id: number, isDefault: boolean) => {
    if (isDefault) return identityErrors.defaultAdminKept
    return id === call.actor.id ? identityErrors.selfKept : undefined
  }

  /** Protected accounts in a larger choice are passed over and named; alone they are refused (behaviour: people.protected). */
  const remove = async (call: Call<number[]>) => {
    const { db, scope, input: ids } = call
    const skipped: { id: number; name: string; code: number }[] = []
    for (const id of ids) {
      const { row, standing } = await target(call, id)
      const refusal = refusalOf(call, id, standing.isDefault)
      if (refusal && ids.length === 1) throw new AppError(refusal)
      if (refusal) skipped.push({ id, name: row.username, code: refusal.code })
    }
    const chosen = ids.filter((id) => !skipped.some((kept) => kept.id === id))
    const names = chosen.length > 0 ? await removeRows(db, userTable, scope, chosen) : []
    call.note({ description: names.join(', ') })
    const answer = { removed: chosen.length, skipped }
    return skipped.length > 0 ? new PartialAnswer(answer) : answer
  }

  const resetPassword = async (call: Call<One & { password: string }>) => {
    const { row } = await target(call, call.input.id)
    call.note({ description: row.username })
    if (row.id === call.actor.id) throw new AppError({ ...commonErrors.noPermission, field: 'password' })
    await setPassword(call, row, call.input.password)
    return {}
  }

  const unlock = async (call: Call<One>) => {
    const { row } = await target(call, call.input.id)
    call.note({ description: row.username })
    await clearAttempts(call.db, row.id)
    return {}
  }

  const enable = async (call: Call<One>) => {
    const { row } = await target(call, call.input.id)
    call.note({
      description: row.username,
      before: { disabled: row.loginStatus === 'disabled' },
      after: { disabled: false },
    })
    await setDisabled(call.db, row.id, false)
    return {}
  }

  const disable = async (call: Call<One>) => {
    const { row, standing } = await target(call, call.input.id)
    call.note({
      description: row.username,
      before: { disabled: row.loginStatus === 'disabled' },
      after: { disabled: true },
    })
    const refusal = refusalOf(call, row.id, standing.isDefault)
    if (refusal) throw new AppError(refusal)
    await setDisabled(call.db, row.id, true)
    await endSessionsOf(call.db, [row.id], clock.now())
    return {}
  }

  /** Asked for here, set up by its owner: whoever is signed in has to sign in anew, and is shown the secret then. */
  const requireTwoFactor = async (call: Call<One>) => {
    const { row, standing } = await target(call, call.input.id)
    call.note({ description: row.username })
    if (standing.ofRoot && row.type === userType.super) throw new AppError(identityErrors.twoFactorNotForSuper)
    if (row.id === call.actor.id) throw new AppError(commonErrors.noPermission)
    if (!(await wantTwoFactor(call.db, row.id))) throw new AppError(identityErrors.twoFactorAlreadyOn)
    await endSessionsOf(call.db, [row.id], clock.now())
    return {}
  }

  /** For somebody who lost their device; one's own second factor is given up on the personal page, with a code. */
  const resetTwoFactor = async (call: Call<One>) => {
    const { row, standing } = await target(call, call.input.id)
    call.note({ description: row.username })
    if (standing.ofRoot && row.type === userType.super) throw new AppError(identityErrors.twoFactorNotForSuper)
    if (row.id === call.actor.id) throw new AppError(commonErrors.noPermission)
    await dropTwoFactor(call.db, row.id)
    await endSessionsOf(call.db, [row.id], clock.now())
    return {}
  }

  return {
    list,
    create,
    createImported,
    checkImported,
    update,
    remove,
    resetPassword,
    unlock,
    enable,
    disable,
    requireTwoFactor,
    resetTwoFactor,
  }
}
