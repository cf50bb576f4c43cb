import type { Row } from '@campanile/contract/kit'
import { organisation } from '@campanile/contract/organisation'
import { useState } from 'react'
import { Link } from 'react-router'
import { ListScreen, useResourceList } from '../../kit/index.ts'
import { usePermitted } from '../../kit/useAction.ts'
import { OrganisationType } from './OrganisationType.tsx'
import { OrganisationForm } from './opened.ts'
import { bearsChildren } from './refusal.ts'
import { useOperate } from './useOperate.ts'
import { useRemoveOrganisation } from './useRemoveOrganisation.tsx'
import './organisation.css'

type OrganisationRow = Row<typeof organisation>

const cells = {
  type: ({ type }: OrganisationRow) => <OrganisationType type={type} />,
  parentId: ({ parentId, parentName }: OrganisationRow) =>
    parentId && parentName ? (
      <Link to={`/org/view/${parentId}`}>{parentName}</Link>
    ) : (
      <span className="nothing">–</span>
    ),
}

/** Every organisation the person may see, as declared. Deleting and adding below one are peculiar. */
export default function OrganisationListScreen() {
  const list = useResourceList(organisation)
  const mayCreate = usePermitted(organisation.perms.create)
  const { operate, isHere } = useOperate()
  const { permitted: mayRemove, remove } = useRemoveOrganisation()
  const [below, setBelow] = useState<OrganisationRow>()
  return (
    <>
      <ListScreen
        resource={organisation}
        list={list}
        identityTo={({ id }) => `/org/view/${id}`}
        cells={cells}
        form={OrganisationForm}
        // One is deleted by the button below, which says what it still holds.
        removable={mayRemove ? () => false : false}
        rowButtons={[
          {
            label: 'organisation.action.addChild',
            shown: ({ type }) => mayCreate && bearsChildren(type),
            run: setBelow,
          },
          { label: 'organisation.action.operate', shown: ({ id }) => !isHere(id), run: ({ id }) => operate(id) },
          { label: 'organisation.action.delete', danger: true, shown: () => mayRemove, run: remove },
        ]}
      />
      {below && <OrganisationForm parentId={below.id} onClose={() => setBelow(undefined)} />}
    </>
  )
}
