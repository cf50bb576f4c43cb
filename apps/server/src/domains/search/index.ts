import { type FoundKind, inFoundOrder, type Resource, resources, searchEverything } from '@campanile/contract'
import { type Actor, platformScopeFor, type Scope, scopeFor } from '../../kit/actor.ts'
import type { Call } from '../../kit/call.ts'
import { createReach, findKind, type Reach } from '../../kit/find.ts'
import { boundTable } from '../../kit/table.ts'
import { touchRows } from '../../kit/touched.ts'
import { defineRoom } from '../../room.ts'
import { findViews, identity } from '../identity/index.ts'
import { findModules, organisation } from '../organisation/index.ts'

/** Rows of a kind are found by whoever may list them, where they may list them. */
const scopeOfList = (actor: Actor, { perms, scope }: Resource): Scope | null => {
  if (!perms.list) return null
  return scope === 'platform' ? platformScopeFor(actor, perms.list) : scopeFor(actor, perms.list)
}

/** What declares how the palette finds it; a room that is added later is among them without a line here. */
const found = inFoundOrder(resources.filter((resource) => resource.palette !== undefined))

const findIn = async (call: Call, resource: Resource, wanted: string, reach: Reach): Promise<FoundKind | undefined> => {
  const { actor, db } = call
  const scope = scopeOfList(actor, resource)
  if (!scope) return undefined
  const table = boundTable(resource.name)
  const kind = await findKind(db, table, scope, wanted, reach)
  // Who was shown people by a search has read of them as of a list (behaviour: search.personal).
  if (kind && resource.personal) {
    const ids = kind.rows.map(({ id }) => id)
    await touchRows({ ...call, scope }, table, ids, (names) => ({ description: `${resource.name}: ${names.length}` }))
    call.note({ written: true, type: 'read', description: `${resource.name}: ${ids.length} of ${kind.total}` })
  }
  return kind
}

const everything = async (call: Call<{ wanted: string }>): Promise<{ kinds: FoundKind[] }> => {
  const { actor, db, input } = call
  const { isUsed } = await findModules(db, actor)
  const used = (each: Resource) => isUsed(each.perms.list)
  const lists = resources.filter((each) => used(each) && scopeOfList(actor, each)).map(({ name }) => name)
  const reach = createReach(db)
  const kinds = await Promise.all([
    ...found.filter(used).map((resource) => findIn(call, resource, input.wanted, reach)),
    findViews(db, actor, input.wanted, lists),
  ])
  return { kinds: kinds.filter((kind) => kind !== undefined) }
}

/** One question to every kind of row there is. */
export const search = defineRoom({
  word: 'search',
  after: [organisation, identity],
  tables: [],
  mount: ({ kit }) => kit.guarded(searchEverything, 'search', everything),
})
