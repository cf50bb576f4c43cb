import {
  AppError,
  changeMobile,
  clearNotifications,
  commonErrors,
  disableTwoFactor,
  enableTwoFactor,
  endOwnSession,
  notifications,
  ownSessions,
  type Profile,
  presetEntries,
  profile,
  readNotifications,
  removeMobile,
  removeView,
  renewRecoveryCodes,
  savedViews,
  saveView,
  sendMobileCode,
  startTwoFactor,
  updateProfile,
  user,
} from '@campanile/contract'
import { type Actor, scopeFor } from '../../kit/actor.ts'
import type { Call, Language, Note } from '../../kit/call.ts'
import type { Kit } from '../../kit/route.ts'
import type { Db } from '../../platform/db.ts'
import { deleteNotifications, listNotifications, markRead } from '../../platform/notification.store.ts'
import type { MobileChange } from './mobile.service.ts'
import { findDetails, findProfile, storeDetails } from './profile.store.ts'
import { roleName } from './role-presets.ts'
import {
  clearDefault,
  countShared,
  countViews,
  deleteView,
  findView,
  insertView,
  isNameTaken,
  listViews,
  updateView,
} from './saved-view.store.ts'
import type { Sessions } from './session.service.ts'
import type { TwoFactor } from './two-factor.service.ts'
import { rolesOf } from './user.store.ts'
import { listNamed, mayList, mustBeQuery } from './view-rules.ts'

type Change = Pick<Note, 'before' | 'after'>

const module = 'personal'
/** More are not found again by anybody. */
const mostViews = 50
/** Of one person over all lists. */
const mostViewsOverall = 300

const mountProfile = (kit: Kit, sessions: Sessions) => {
  const read = async (db: Db, actor: Actor, language: Language): Promise<Profile> => ({
    ...(await sessions.describe(db, actor.id, actor.operating?.id ?? null)),
    ...(await findProfile(db, actor.id)),
    roleNames: (await rolesOf(db, actor.id)).map((role) => roleName(role, language)),
  })
  kit.guarded(profile, module, (call) => read(call.db, call.actor, call.caller.language))
  kit.guarded(updateProfile, module, async (call) => {
    const before = await findDetails(call.db, call.actor.id)
    const after = call.input
    call.note({ type: 'update', before, after })
    await storeDetails(call.db, call.actor.id, after)
    return read(call.db, call.actor, call.caller.language)
  })
}

const mountSessions = (kit: Kit, sessions: Sessions) => {
  kit.guarded(ownSessions, module, async (call) => ({ rows: await sessions.own(call.db, call.actor) }))
  kit.guarded(endOwnSession, module, async (call) => {
    const { ip, userAgent } = await sessions.endOwn(call.db, call.actor, call.input.id)
    call.note({ type: 'remove', description: `${ip} ${userAgent}` })
    return {}
  })
}

const mountMobile = (kit: Kit, mobile: MobileChange) => {
  kit.guarded(sendMobileCode, module, (call) => mobile.start(call.actor, call.input, call.caller), 'noTransaction')
  const changed = (call: Pick<Call, 'note'>, change: Change) => {
    call.note({ type: 'update', ...change })
    return {}
  }
  kit.guarded(
    changeMobile,
    module,
    async (call) => changed(call, await mobile.finish(call.actor, call.input)),
    'noTransaction',
  )
  kit.guarded(
    removeMobile,
    module,
    async (call) => changed(call, await mobile.remove(call.actor, call.input.password)),
    'noTransaction',
  )
}

const mountTwoFactor = (kit: Kit, twoFactor: TwoFactor) => {
  kit.guarded(startTwoFactor, module, (call) => twoFactor.start(call.actor, call.input.password), 'noTransaction')
  kit.guarded(enableTwoFactor, module, (call) => twoFactor.finish(call.actor, call.input.code), 'noTransaction')
  kit.guarded(
    disableTwoFactor,
    module,
    (call) => twoFactor.stop(call.actor, call.input.password, call.input.code),
    'noTransaction',
  )
  kit.guarded(renewRecoveryCodes, module, (call) => twoFactor.renew(call.actor, call.input.code), 'noTransaction')
}

const mountNotifications = (kit: Kit) => {
  kit.guarded(notifications, module, (call) =>
    listNotifications(call.db, call.actor.id, call.input, call.caller.language),
  )
  kit.guarded(readNotifications, module, async (call) => {
    await markRead(call.db, call.actor.id, call.input.ids)
    return {}
  })
  kit.guarded(clearNotifications, module, async (call) => {
    const alerts = await deleteNotifications(call.db, call.actor.id, call.input.ids)
    // Whoever came in with a stolen password would like nobody to read what they set off.
    if (alerts > 0) call.note({ type: 'remove', description: `alert × ${alerts}`, written: true })
    return {}
  })
}

const readingOnly = new Set(presetEntries('auditor', true).map(({ perms }) => perms))
/** Whoever may only read puts nothing into others' menus. */
const mayShare = ({ grants }: Actor) =>
  grants.some(
    ({ permissions }) => permissions === 'all' || [...permissions].some((permission) => !readingOnly.has(permission)),
  )
const isShared = (view: { shared: boolean } | undefined) => view?.shared === true

const mountViews = (kit: Kit) => {
  const adminPaths = (actor: Actor) => scopeFor(actor, user.perms.update)?.paths ?? []
  kit.guarded(savedViews, module, async ({ db, actor, input }) => {
    const list = listNamed(input.resource)
    return { rows: mayList(actor, list) ? await listViews(db, actor, list.name, adminPaths(actor)) : [] }
  })
  kit.guarded(saveView, module, async (call) => {
    const { id, ...view } = call.input
    const { db, actor } = call
    const before = id === undefined ? undefined : await findView(db, actor, id, view.resource)
    if (id !== undefined && !before) throw new AppError(commonErrors.resourceNotFound, { id })
    const list = listNamed(view.resource)
    if (!mayList(actor, list)) throw new AppError({ ...commonErrors.noPermission, field: 'resource' })
    if (view.shared && !mayShare(actor)) throw new AppError({ ...commonErrors.noPermission, field: 'shared' })
    mustBeQuery(list, view.state.search)
    if (await isNameTaken(db, actor, { ...view, id }))
      throw new AppError({ ...commonErrors.alreadyExists, field: 'name' }, { field: 'name' })
    if (view.shared && !isShared(before) && (await countShared(db, actor, view.resource)) >= mostViews)
      throw new AppError(commonErrors.tooMany, { limit: mostViews })
    if (view.isDefault) await clearDefault(db, actor, view.resource)
    // What colleagues find in their menus is the organisation's business.
    if (view.shared || isShared(before))
      call.note({
        type: before ? 'update' : 'create',
        description: `${view.resource}: ${view.name}`,
        ...(before && { before }),
        after: { name: view.name, shared: view.shared, state: view.state },
        written: true,
      })
    if (id !== undefined) {
      await updateView(db, actor, id, view)
      return { id }
    }
    const { here, overall } = await countViews(db, actor, view.resource)
    if (here >= mostViews || overall >= mostViewsOverall)
      throw new AppError(commonErrors.tooMany, { limit: here >= mostViews ? mostViews : mostViewsOverall })
    return { id: await insertView(db, actor, view) }
  })
  kit.guarded(removeView, module, async (call) => {
    const removed = await deleteView(call.db, call.actor, call.input.id, adminPaths(call.actor))
    if (!removed) throw new AppError(commonErrors.resourceNotFound, { id: call.input.id })
    if (removed.shared)
      call.note({ type: 'remove', description: `${removed.resource}: ${removed.name}`, written: true })
    return {}
  })
}

interface Rooms {
  readonly sessions: Sessions
  readonly twoFactor: TwoFactor
  readonly mobile: MobileChange
}

export const mountPersonal = (kit: Kit, { sessions, twoFactor, mobile }: Rooms) => {
  mountProfile(kit, sessions)
  mountSessions(kit, sessions)
  mountMobile(kit, mobile)
  mountTwoFactor(kit, twoFactor)
  mountNotifications(kit)
  mountViews(kit)
}
