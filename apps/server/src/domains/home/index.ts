import {
  deviceStatistics,
  exportFile,
  type FirstStep,
  firstSteps,
  type HomeSummary,
  homeNeeds,
  homeSummary,
  operationLog,
  organisation,
  user,
  writeConfig,
} from '@campanile/contract'
import { type Actor, platformScopeFor, type Scope, scopeFor } from '../../kit/actor.ts'
import type { Call } from '../../kit/call.ts'
import { defineRoom } from '../../room.ts'
import { type Devices, device as deviceRoom } from '../device/index.ts'
import { file } from '../file/index.ts'
import { identity } from '../identity/index.ts'
import { findModules, organisation as organisationRoom } from '../organisation/index.ts'
import { areAgreementsWritten, countSignIns, system } from '../system/index.ts'
import {
  countAdministrators,
  countExports,
  countOrganisations,
  findAnnouncements,
  findBeginnings,
  findPath,
} from './home.store.ts'

/** A figure is counted within the scope its own list would have, so that figure and list never disagree. */
const ifPermitted = <T>(actor: Actor, perm: string, count: (scope: Scope) => Promise<T>): Promise<T | null> => {
  const scope = scopeFor(actor, perm)
  return scope ? count(scope) : Promise.resolve(null)
}

const stepPerms: Record<FirstStep, string> = {
  password: 'signedIn',
  organisation: organisation.perms.create,
  administrator: user.perms.create,
  agreements: writeConfig.perm,
}

/** Beginnings concern the installation, so only who reaches its root is shown them, and only the steps they may take. */
const stepsFor = async ({ actor, db }: Call): Promise<HomeSummary['steps']> => {
  const scope = platformScopeFor(actor, 'signedIn')
  if (!scope || actor.operating) return []
  const found = { ...(await findBeginnings(db, scope)), agreements: await areAgreementsWritten(db) }
  return firstSteps
    .filter((step) => found[step] !== null && platformScopeFor(actor, stepPerms[step]))
    .map((step) => ({ step, done: found[step] === true }))
}

const summarise = async (
  call: Call<{ since: string }>,
  { notServedSince }: Pick<Devices, 'notServedSince'>,
): Promise<HomeSummary> => {
  const { actor, scope, db, input } = call
  const place = actor.operating ?? actor.department
  // The way leads from one's own place to the one entered, so it is told in one's own reach.
  const own = scopeFor({ ...actor, operating: null }, homeSummary.perm) ?? scope
  const [organisations, administrators, signIns, exports, announcements, path, steps] = await Promise.all([
    ifPermitted(actor, organisation.perms.list, (seen) => countOrganisations(db, seen)),
    ifPermitted(actor, user.perms.list, (seen) => countAdministrators(db, seen)),
    ifPermitted(actor, operationLog.perms.list, (seen) => countSignIns(db, seen, input.since)),
    ifPermitted(actor, exportFile.perms.list, (seen) => countExports(db, seen)),
    findAnnouncements(db, own, place.id),
    findPath(db, own, place.id),
    stepsFor(call),
  ])
  return {
    organisation: { id: place.id, name: place.name, type: place.type, path },
    figures: {
      organisations,
      administrators: administrators?.all ?? null,
      locked: administrators?.locked ?? null,
      signIns,
      exports,
    },
    announcements,
    notServedSince: scopeFor(actor, deviceStatistics.perm) ? notServedSince() : null,
    steps,
  }
}

/** What everybody sees first. */
export const home = defineRoom({
  word: 'home',
  after: [organisationRoom, identity, system, deviceRoom, file],
  tables: [],
  mount: ({ kit, needs }, { device }) => {
    kit.guarded(homeSummary, 'home', (call) => summarise(call, device))
    kit.guarded(homeNeeds, 'home', async ({ db, actor }) => {
      const { isUsed } = await findModules(db, actor)
      return { rows: await needs.find(db, actor, ({ perms }) => isUsed(perms.list)) }
    })
  },
})
