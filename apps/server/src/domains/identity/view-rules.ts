import { AppError, commonErrors, listSchema, type Resource, resources, withOtherNames } from '@campanile/contract'
import { type Actor, platformScopeFor, scopeFor } from '../../kit/actor.ts'
import { fromZod } from '../../kit/answer.ts'

const lists = new Map(
  resources.flatMap((resource) => (resource.perms.list ? [[resource.name, resource] as const] : [])),
)

/** The list that a view is of. */
export const listNamed = (name: string): Resource => {
  const found = lists.get(name)
  if (found) return found
  throw new AppError(
    { ...commonErrors.wrongFormat, field: 'resource' },
    { field: 'resource', allowed: [...lists.keys()] },
  )
}

/** Whether somebody sees the list. */
export const mayList = (actor: Actor, { perms, scope }: Resource): boolean => {
  if (perms.list === undefined) return false
  if (perms.list === 'signedIn') return true
  return (scope === 'platform' ? platformScopeFor : scopeFor)(actor, perms.list) !== null
}

/** Where in a list somebody stands is no part of what it shows. */
const ofThePage = ['view', 'page']

/** A view opens its list, so what it asks for is what the list takes. What is wrong is named as the list names it. */
export const mustBeQuery = (resource: Resource, search: string): void => {
  const params = new URLSearchParams(search)
  // From entries: a name such as __proto__ is one like any other, and refused as such.
  const given = Object.fromEntries(
    [...new Set(params.keys())].flatMap((name) => {
      const values = params.getAll(name).filter((value) => value !== '')
      return values.length > 0 && !ofThePage.includes(name) ? [[name, values.length === 1 ? values[0] : values]] : []
    }),
  )
  const { error } = withOtherNames(resource.fields, listSchema(resource)).safeParse(given)
  if (error) throw fromZod(error, given)
}
