import { type Resource, resources } from '@campanile/contract'
import type { ComponentType } from 'react'
import { NotAvailable } from '../../shell/pages/NotAvailable.tsx'
import { ListScreen } from './ListScreen.tsx'
import { useResourceList } from './useResourceList.ts'

export const declaredAt = (path: string): Resource | undefined => resources.find(({ menu }) => menu?.url === path)

function DeclaredScreen({ resource }: { resource: Resource }) {
  return <ListScreen resource={resource} list={useResourceList(resource)} />
}

/** The list of a resource nobody drew a screen for; an address nothing is declared for says that it is not there. */
export function declaredScreen(path: string): ComponentType {
  const resource = declaredAt(path)
  return resource === undefined ? NotAvailable : () => <DeclaredScreen resource={resource} />
}
