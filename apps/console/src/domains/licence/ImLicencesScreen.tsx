import type { Row } from '@campanile/contract/kit'
import { imLicence } from '@campanile/contract/licence'
import { useState } from 'react'
import { ListScreen, usePermitted, useReader, useResourceList } from '../../kit/index.ts'
import type { Chosen } from '../../kit/list/SelectionBar.tsx'
import { useAction } from '../../kit/useAction.ts'
import { later } from '../../shell/later.tsx'
import { Expiring } from './Expiring.tsx'
import { LicenceState } from './LicenceState.tsx'
import './licence.css'

const AuthoriseIm = later(async () => (await import('./AuthoriseIm.tsx')).AuthoriseIm)
const Renew = later(async () => (await import('./Renew.tsx')).Renew)

type Licence = Row<typeof imLicence>

/** S037: which devices may call through a messaging app, on whose account. */
export default function ImLicencesScreen() {
  const reader = useReader(imLicence)
  const list = useResourceList(imLicence)
  const mayAuthorise = usePermitted(imLicence.actions.authorise.perm)
  const mayRenew = usePermitted(imLicence.actions.renew.perm)
  const unbind = useAction(imLicence, 'revoke')
  const [authorising, setAuthorising] = useState(false)
  const [renewing, setRenewing] = useState<readonly number[]>()
  const holds = ({ state }: Licence) => state !== 'revoked'
  // "All matching" reaches rows that cannot be ticked.
  const holding = async ({ rows }: Chosen) => ((await rows()) as unknown as Licence[]).filter(holds).map(({ id }) => id)
  return (
    <>
      <ListScreen
        resource={imLicence}
        list={list}
        cells={{ state: ({ state }) => <LicenceState state={state} reader={reader} /> }}
        toolbar={<Expiring resource={imLicence} list={list} />}
        primary={mayAuthorise ? { label: 'imLicence.action.authorise', run: () => setAuthorising(true) } : undefined}
        unselectable={(row) => (holds(row) ? undefined : reader.option('state', 'revoked'))}
        rowButtons={[
          {
            label: 'imLicence.action.renew',
            shown: (row) => mayRenew && holds(row),
            run: (row) => setRenewing([row.id]),
          },
          {
            label: 'imLicence.action.revoke',
            danger: true,
            confirm: true,
            shown: (row) => unbind.permitted && holds(row),
            run: (row) => unbind.run({ ids: [row.id] }),
          },
        ]}
        bulkButtons={[
          {
            label: 'imLicence.action.renew',
            shown: mayRenew,
            run: async (chosen) => setRenewing(await holding(chosen)),
          },
          {
            label: 'imLicence.action.revoke',
            danger: true,
            confirm: true,
            shown: unbind.permitted,
            run: async (chosen) => {
              const ids = await holding(chosen)
              await unbind.run({ ids }, ids.length)
            },
          },
        ]}
      />
      {authorising && <AuthoriseIm onClose={() => setAuthorising(false)} />}
      {renewing && <Renew resource={imLicence} ids={renewing} onClose={() => setRenewing(undefined)} />}
    </>
  )
}
