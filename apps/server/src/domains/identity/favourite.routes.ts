import { AppError, addFavourite, commonErrors, favourites, removeFavourite, resources } from '@campanile/contract'
import { scopeFor } from '../../kit/actor.ts'
import type { Kit } from '../../kit/route.ts'
import { countFavourites, deleteFavourite, insertFavourite, listFavourites, listViewsOf } from './favourite.store.ts'

const module = 'personal'
/** More would be a menu of their own. */
const mostFavourites = 50

const lists = resources.flatMap(({ name, perms }) => (perms.list ? [{ name, perm: perms.list }] : []))

export const mountFavourites = (kit: Kit) => {
  kit.guarded(favourites, module, async ({ db, actor }) => {
    const seen = new Map(lists.filter(({ perm }) => scopeFor(actor, perm)).map(({ name, perm }) => [name, perm]))
    const views = await listViewsOf(db, actor, [...seen.keys()])
    return {
      rows: await listFavourites(db, actor.id),
      views: views.map(({ id, name, search, resource }) => ({ id, name, search, perm: seen.get(resource) ?? '' })),
    }
  })
  kit.guarded(addFavourite, module, async ({ db, actor, input }) => {
    const id = await insertFavourite(db, actor.id, input)
    if ((await countFavourites(db, actor.id)) > mostFavourites)
      throw new AppError(commonErrors.tooMany, { limit: mostFavourites })
    return { id }
  })
  kit.guarded(removeFavourite, module, async ({ db, actor, input }) => {
    if (!(await deleteFavourite(db, actor.id, input.id)))
      throw new AppError(commonErrors.resourceNotFound, { id: input.id })
    return {}
  })
}
