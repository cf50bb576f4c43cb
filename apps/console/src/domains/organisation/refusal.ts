import { childTypes, type DepartmentNode, mayStandUnder, type OrganisationType } from '@campanile/contract/organisation'

/** Why an organisation cannot stand somewhere; the words are `organisation.refusal.<reason>`. */
export type Refusal =
  | { reason: 'self' | 'descendant' | 'current' }
  | { reason: 'type'; child: number; parent: number }
  | { reason: 'nothingBelow'; parent: number }

type Moved = Pick<DepartmentNode, 'id' | 'type' | 'parentId'>

/** Classes are the leaves of every tree. */
export const bearsChildren = (type: number) => childTypes(type as OrganisationType).length > 0

export const typeRefusal = (child: number, parent: number): Refusal | undefined => {
  if (!bearsChildren(parent)) return { reason: 'nothingBelow', parent }
  return mayStandUnder(child as OrganisationType, parent as OrganisationType)
    ? undefined
    : { reason: 'type', child, parent }
}

/** The server refuses the same; saying it before spares a try. */
export const moveRefusal = (
  moved: Moved,
  target: Pick<DepartmentNode, 'id' | 'type' | 'path'>,
): Refusal | undefined => {
  if (target.id === moved.id) return { reason: 'self' }
  if (target.path.some(({ id }) => id === moved.id)) return { reason: 'descendant' }
  if (target.id === moved.parentId) return { reason: 'current' }
  return typeRefusal(moved.type, target.type)
}

type Translate = (key: string, values: Record<string, string>) => string

export const refusalText = (refusal: Refusal, t: Translate): string => {
  const name = (type: number) => t(`organisation.option.type.${type}`, {})
  return t(`organisation.refusal.${refusal.reason}`, {
    ...('child' in refusal && { child: name(refusal.child) }),
    ...('parent' in refusal && { parent: name(refusal.parent) }),
  })
}
