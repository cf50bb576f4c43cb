import type { Row } from '@campanile/contract/kit'
import type { imLicence, iotLicence } from '@campanile/contract/licence'
import { type ComponentType, type ReactNode, useState } from 'react'
import { ListScreen, usePermitted, useReader, useResourceList } from '../../kit/index.ts'
import type { Chosen } from '../../kit/list/SelectionBar.tsx'
import { useAction } from '../../kit/useAction.ts'
import { later } from '../../shell/later.tsx'
import { Expiring } from './Expiring.tsx'
import { LicenceState } from './LicenceState.tsx'
import './licence.css'

const Renew = later(async () => (await import('./Renew.tsx')).Renew)

type Revocable = typeof imLicence | typeof iotLicence
type Licence = Row<Revocable>

interface Props {
  kind: Revocable
  /** Assigns licences of the kind. */
  Authorise: ComponentType<{ onClose: () => void }>
  /** Beside what tells of licences that end soon. */
  toolbar?: ReactNode
}

/** Licences that are renewed for a while or revoked for good. */
export function RevocableLicences({ kind, Authorise, toolbar }: Props) {
  const reader = useReader(kind)
  const list = useResourceList(kind)
  const mayAuthorise = usePermitted(kind.actions.authorise.perm)
  const mayRenew = usePermitted(kind.actions.renew.perm)
  const revoke = useAction(kind as typeof iotLicence, 'revoke')
  const [authorising, setAuthorising] = useState(false)
  const [renewing, setRenewing] = useState<readonly number[]>()
  const holds = ({ state }: Licence) => state !== 'revoked'
  // "All matching" reaches rows that cannot be ticked.
  const holding = async ({ rows }: Chosen) => ((await rows()) as unknown as Licence[]).filter(holds).map(({ id }) => id)
  return (
    <>
      <ListScreen
        resource={kind}
        list={list}
        cells={{ state: ({ state }) => <LicenceState state={state} reader={reader} /> }}
        toolbar={
          <>
            <Expiring resource={kind} list={list} />
            {toolbar}
          </>
        }
        primary={mayAuthorise ? { label: `${kind.name}.action.authorise`, run: () => setAuthorising(true) } : undefined}
        unselectable={(row) => (holds(row) ? undefined : reader.option('state', 'revoked'))}
        rowButtons={[
          {
            label: `${kind.name}.action.renew`,
            shown: (row) => mayRenew && holds(row),
            run: (row) => setRenewing([row.id]),
          },
          {
            label: `${kind.name}.action.revoke`,
            danger: true,
            confirm: true,
            shown: (row) => revoke.permitted && holds(row),
            run: (row) => revoke.run({ ids: [row.id] }),
          },
        ]}
        bulkButtons={[
          {
            label: `${kind.name}.action.renew`,
            shown: mayRenew,
            run: async (chosen) => setRenewing(await holding(chosen)),
          },
          {
            label: `${kind.name}.action.revoke`,
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
      {authorising && <Authorise onClose={() => setAuthorising(false)} />}
      {renewing && <Renew resource={kind} ids={renewing} onClose={() => setRenewing(undefined)} />}
    </>
  )
}
