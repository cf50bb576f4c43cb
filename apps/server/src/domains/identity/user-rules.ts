import { AppError, commonErrors, identityErrors, isHead, organisationType, userType } from '@campanile/contract'
import { type Actor, covers, type Place, type Scope } from '../../kit/actor.ts'
import type { Db } from '../../platform/db.ts'
import { isAddressEntry } from './address-list.ts'
import { findPlace } from './place.store.ts'
import { findRoles } from './role.store.ts'
import { mayGive } from './role-authority.ts'

/** The department somebody shall belong to; one out of reach and one that does not exist look the same. */
export const placeInReach = async (db: Db, scope: Scope, departmentId: number): Promise<Place> => {
  const place = await findPlace(db, departmentId)
  if (!place || !covers(scope, place.path))
    throw new AppError({ ...identityErrors.outsideEnterprise, field: 'departmentId' })
  return place
}

/** The root, or an SI directly below it. */
const isTopLevel = (place: Place) => place.path.split('.').length <= 2

/** Who may add safety officers: a top-level SI or an enterprise, for itself and for the schools below it (behaviour: people.one-of-each). */
const addsSafetyOfficers = ({ department }: Actor) =>
  department.type === organisationType.enterprise || (department.type === organisationType.si && isTopLevel(department))

/** Which type may be given to somebody of this department, and by whom. One a department is the database's own rule (behaviour: people.one-of-each). */
export const mayHaveType = (actor: Actor, type: number, place: Place) => {
  if (type === userType.super) {
    if (actor.type !== userType.super) throw new AppError({ ...commonErrors.noPermission, field: 'type' })
    if (!isHead(place.type)) throw new AppError(identityErrors.superAdminExists)
  }
  if (type === userType.safetyOfficer && !(addsSafetyOfficers(actor) && isHead(place.type)))
    throw new AppError(identityErrors.safetyOfficerNotAllowed)
}

/** A super administrator stays one and nobody becomes one; a safety officer comes and goes by those who may add one. */
export const mayChangeType = (actor: Actor, from: number, to: number, place: Place) => {
  if (from === to) return
  if (from === userType.super || to === userType.super) throw new AppError(identityErrors.userTypeFixed)
  mayHaveType(actor, to, place)
  if (from === userType.safetyOfficer) mayHaveType(actor, from, place)
}

/** Each role must be in reach and grant no more than the caller holds. */
export const mustBeGivable = async (db: Db, actor: Actor, scope: Scope, roleIds: readonly number[]) => {
  const roles = await findRoles(db, roleIds)
  if (roles.length < new Set(roleIds).size || roles.some((role) => !covers(scope, role.home)))
    throw new AppError({ ...identityErrors.outsideEnterprise, field: 'roleIds' })
  if (!roles.every((role) => mayGive(actor, role)))
    throw new AppError({ ...commonErrors.noPermission, field: 'roleIds' })
}

/** Nobody touches the account of somebody who may do more: resetting its password would be taking it over. */
export const mustNotExceed = async (db: Db, actor: Actor, target: { type: number; roleIds: readonly number[] }) => {
  if (target.type === userType.super && actor.type !== userType.super) throw new AppError(commonErrors.noPermission)
  const roles = await findRoles(db, target.roleIds)
  if (!roles.every((role) => mayGive(actor, role))) throw new AppError(commonErrors.noPermission)
}

type Period = { validStart?: string | null | undefined; validEnd?: string | null | undefined }

export const mustBePeriod = ({ validStart, validEnd }: Period) => {
  if (validStart && validEnd && validEnd < validStart) throw new AppError(identityErrors.validityWrong)
}

export const mustBeAddresses = (entries: readonly string[] | null | undefined) => {
  if (entries?.some((entry) => !isAddressEntry(entry))) throw new AppError(identityErrors.whitelistWrong)
}
