import {
  AppError,
  childTypes,
  commonErrors,
  type Draft,
  type ErrorSpec,
  isHead,
  mayStandUnder,
  type OrganisationType,
  type organisation,
  organisationErrors,
  organisationType,
  type Patch,
  userType,
} from '@campanile/contract'
import type { Call } from '../../kit/call.ts'
import { findRow, insertRow, removeRows, updateRow } from '../../kit/rows.ts'
import type { Db } from '../../platform/db.ts'
import { mayBeKept } from '../../platform/outbound-url.ts'
import type { Settings } from '../../platform/settings.ts'
import { mustBeWindow, namesWindow } from './maintenance.ts'
import type { Occupant } from './occupants.ts'
import {
  findOccupied,
  findParentLeftBehind,
  findSpot,
  heightOf,
  lockTree,
  moveSubtree,
  nextId,
  type Spot,
} from './organisation.store.ts'
import { organisationTable as table } from './organisation.table.ts'

/** Deep enough for every real tree, and a path that long still fits its index. */
const deepest = 32
const depth = (path: string) => path.split('.').length

/** Which rule a type breaks when it may not stand where it was put. */
const nestingRule: Record<OrganisationType, ErrorSpec> = {
  [organisationType.subDepartment]: organisationErrors.nestingSubDepartment,
  [organisationType.enterprise]: organisationErrors.nestingEnterprise,
  [organisationType.school]: organisationErrors.nestingSchool,
  [organisationType.si]: organisationErrors.nestingSi,
  [organisationType.section]: organisationErrors.nestingSection,
  [organisationType.grade]: organisationErrors.nestingGrade,
  [organisationType.class]: organisationErrors.nestingClass,
  [organisationType.administrativeClass]: organisationErrors.nestingClass,
  [organisationType.graduatingClass]: organisationErrors.nestingGraduating,
}

const mustFit = (type: number, parent: Spot, height: number) => {
  const child = type as OrganisationType
  const above = parent.type as OrganisationType
  if (!mayStandUnder(child, above)) {
    const rule = childTypes(above).length === 0 ? organisationErrors.parentTypeRefused : nestingRule[child]
    throw new AppError(rule, { type: child, parentType: above })
  }
  if (depth(parent.path) + height > deepest) throw new AppError(organisationErrors.tooDeep, { limit: deepest })
}

type Addresses = { fileServerUrl?: string | null | undefined; pushAddress?: string | null | undefined }

/** What later rooms do in the same transaction. */
export interface Followers {
  /** An SI, an enterprise or a school is new. */
  readonly founded: (db: Db, id: number) => Promise<unknown>
  /** A subtree has come to stand at the path `to`; what no longer fits there is undone. */
  readonly moved: (db: Db, to: string, from: string) => Promise<unknown>
}

export const createOrganisationService = (deps: {
  occupants: readonly Occupant[]
  settings: Pick<Settings, 'get'>
  followers: Followers
}) => {
  const { occupants, settings, followers } = deps

  /** The server calls these itself, so they may not lead back inside (behaviour: api.outside-links). */
  const mustBeReachable = async (values: Addresses) => {
    const allowPrivate = await settings.get('allowPrivateServer')
    const wrong = (['fileServerUrl', 'pushAddress'] as const).find((name) => {
      const address = values[name]
      return address && !mayBeKept(address, allowPrivate)
    })
    if (wrong) throw new AppError({ ...organisationErrors.addressRefused, field: wrong })
  }

  /** The root exists for everybody, so it is named; any other department out of reach looks like none at all. */
  const parentFor = async ({ db, scope }: Call, id: number): Promise<Spot> => {
    const parent = await findSpot(db, scope, id)
    if (parent?.reached) return parent
    throw new AppError(
      parent?.parentId === null ? organisationErrors.topLevelNotAllowed : organisationErrors.parentMissing,
    )
  }

  /** Where a new organisation will stand, if it may stand there at all. */
  const judge = async (call: Call<Draft<typeof organisation>>, planned?: Spot): Promise<Spot> => {
    const { actor, input } = call
    if (input.type === organisationType.enterprise && actor.type !== userType.super)
      throw new AppError(organisationErrors.enterpriseBySuperOnly)
    await mustBeReachable(input)
    mustBeWindow(input)
    const parent = planned ?? (await parentFor(call, input.parentId))
    mustFit(input.type, parent, 1)
    return parent
  }

  const create = async (call: Call<Draft<typeof organisation>>) => {
    const { db, scope, input } = call
    await lockTree(db, 'shared')
    const parent = await judge(call)
    const id = await nextId(db)
    await insertRow(db, table, scope, input, { id, path: `${parent.path}.${id}` })
    if (isHead(input.type)) await followers.founded(db, id)
    return { id }
  }

  const update = async (call: Call<Patch<typeof organisation>>) => {
    const { db, scope, input } = call
    await mustBeReachable(input)
    if (namesWindow(input)) mustBeWindow({ ...(await findRow(db, table, scope, input.id)), ...input })
    await updateRow(call, table, input)
    return {}
  }

  /** All or nothing; a department and everything below it may go in one call. */
  const remove = async (call: Call<number[]>) => {
    const { db, actor, scope, input: ids } = call
    if (actor.type !== userType.super) throw new AppError(organisationErrors.deleteNotAllowed)
    await lockTree(db, 'alone')
    // Before any word about them: ids out of reach must look like ids that do not exist.
    const spots = await Promise.all(ids.map((id) => findSpot(db, scope, id)))
    if (spots.some((spot) => !spot?.reached)) throw new AppError(organisationErrors.notFound)
    const parent = await findParentLeftBehind(db, ids)
    if (parent !== undefined) throw new AppError(organisationErrors.hasChildren, { name: parent })
    const occupied = await findOccupied(db, occupants, ids)
    if (occupied !== undefined) throw new AppError(organisationErrors.hasDevicesOrPeople, { name: occupied })
    const names = await removeRows(db, table, scope, ids)
    call.note({ description: names.join(', ') })
    return { removed: names.length }
  }

  const move = async (call: Call<{ id: number; parentId: number }>) => {
    const { db, scope, input } = call
    await lockTree(db, 'alone')
    const spot = await findSpot(db, scope, input.id)
    if (!spot?.reached) throw new AppError(commonErrors.resourceNotFound, { id: input.id })
    if (spot.parentId === null) throw new AppError(organisationErrors.topLevelNotAllowed)
    const parent = await parentFor(call, input.parentId)
    if (parent.path === spot.path || parent.path.startsWith(`${spot.path}.`))
      throw new AppError(organisationErrors.movedUnderItself)
    if (parent.id === spot.parentId) return {}
    mustFit(spot.type, parent, await heightOf(db, spot.path))
    await moveSubtree(db, spot, parent)
    const to = `${parent.path}.${spot.id}`
    await followers.moved(db, to, spot.path)
    call.note({ description: spot.name, before: { parentId: spot.parentId }, after: { parentId: parent.id } })
    return {}
  }

  /** For the dry run of an import: the same rules, nothing written. Answers where it would stand, for what comes below it. */
  const check = async (call: Call<Draft<typeof organisation>>, above?: Spot): Promise<Spot> => {
    const parent = await judge(call, above)
    const { name, type } = call.input
    return { id: 0, name, type, path: `${parent.path}.0`, parentId: parent.id }
  }

  return { check, create, update, remove, move }
}
