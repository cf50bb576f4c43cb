import type { Row } from '@campanile/contract/kit'
import { iotLicence } from '@campanile/contract/licence'
import { useState } from 'react'
import { ListScreen, usePermitted, useReader, useResourceList } from '../../kit/index.ts'
import type { Chosen } from '../../kit/list/SelectionBar.tsx'
import { useAction } from '../../kit/useAction.ts'
import { later } from '../../shell/later.tsx'
import { Expiring } from './Expiring.tsx'
import { LicenceState } from './LicenceState.tsx'
import { Unlicensed } from './Unlicensed.tsx'
import './licence.css'

const AuthoriseIot = later(async () => (await import('./AuthoriseIot.tsx')).AuthoriseIot)
const Renew = later(async () => (await import('./Renew.tsx')).Renew)

type Licence = Row<typeof iotLicence>

/** S036: which devices may connect where their organisation wants a licence. */
export default function IotLicencesScreen() {
  const reader = useReader(iotLicence)
  const list = useResourceList(iotLicence)
  const mayAuthorise = usePermitted(iotLicence.actions.authorise.perm)
  const mayRenew = usePermitted(iotLicence.actions.renew.perm)
  const revoke = useAction(iotLicence, 'revoke')
  const [authorising, setAuthorising] = useState(false)
  const [renewing, setRenewing] = useState<readonly number[]>()
  const holds = ({ state }: Licence) => state !== 'revoked'
  // "All matching" reaches rows that cannot be ticked.
  const holding = async ({ rows }: Chosen) => ((await rows()) as unknown as Licence[]).filter(holds).map(({ id }) => id)
  return (
    <>
      <ListScreen
        resource={iotLicence}
        list={list}
        cells={{ state: ({ state }) => <LicenceState state={state} reader={reader} /> }}
        toolbar={
          <>
            <Expiring resource={iotLicence} list={list} />
            <Unlicensed />
          </>
        }
        primary={mayAuthorise ? { label: 'iotLicence.action.authorise', run: () => setAuthorising(true) } : undefined}
        unselectable={(row) => (holds(row) ? undefined : reader.option('state', 'revoked'))}
        rowButtons={[
          {
            label: 'iotLicence.action.renew',
            shown: (row) => mayRenew && holds(row),
            run: (row) => setRenewing([row.id]),
          },
          {
            label: 'iotLicence.action.revoke',
            danger: true,
            confirm: true,
            shown: (row) => revoke.permitted && holds(row),
            run: (row) => revoke.run({ ids: [row.id] }),
          },
        ]}
        bulkButtons={[
          {
            label: 'iotLicence.action.renew',
            shown: mayRenew,
            run: async (chosen) => setRenewing(await holding(chosen)),
          },
          {
            label: 'iotLicence.action.revoke',
            danger: true,
            confirm: true,
            shown: revoke.permitted,
            run: async (chosen) => {
              const ids = await holding(chosen)
              await revoke.run({ ids }, ids.length)
            },
          },
        ]}
      />
      {authorising && <AuthoriseIot onClose={() => setAuthorising(false)} />}
      {renewing && <Renew resource={iotLicence} ids={renewing} onClose={() => setRenewing(undefined)} />}
    </>
  )
}
