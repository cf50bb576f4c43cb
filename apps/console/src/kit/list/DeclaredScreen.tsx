import type { Resource } from '@campanile/contract/kit'
import type { ComponentType } from 'react'
import { loadDeclaredAt } from '../../shell/declared.ts'
import { NotAvailable } from '../../shell/pages/NotAvailable.tsx'
import { ListScreen } from './ListScreen.tsx'
import { useDeclaredActions } from './useDeclaredActions.tsx'
import { useResourceList } from './useResourceList.ts'

function DeclaredScreen({ resource }: { resource: Resource }) {
  const list = useResourceList(resource)
  const actions = useDeclaredActions(resource, list)
  return (
    <>
      <ListScreen
        resource={resource}
        list={list}
        rowButtons={actions.rowButtons}
        bulkButtons={actions.bulkButtons}
        more={actions.listButtons}
      />
      {actions.dialog}
    </>
  )
}

/** The list of a resource nobody drew a screen for; an address nothing is declared for says that it is not there. */
export async function declaredScreen(path: string): Promise<ComponentType> {
  const resource = await loadDeclaredAt(path)
  return resource === undefined ? NotAvailable : () => <DeclaredScreen resource={resource} />
}
