import type { Row } from '@campanile/contract/kit'
import { healthLicence } from '@campanile/contract/licence'
import { useState } from 'react'
import { ListScreen, usePermitted, useReader, useResourceList } from '../../kit/index.ts'
import { useAction } from '../../kit/useAction.ts'
import { later } from '../../shell/later.tsx'
import { Expiring } from './Expiring.tsx'
import { LicenceState } from './LicenceState.tsx'
import './licence.css'

const AuthoriseHealth = later(async () => (await import('./AuthoriseHealth.tsx')).AuthoriseHealth)
const Renew = later(async () => (await import('./Renew.tsx')).Renew)

type Licence = Row<typeof healthLicence>

/** Which devices may ask a province's health-code interface. */
export default function HealthLicencesScreen() {
  const reader = useReader(healthLicence)
  const list = useResourceList(healthLicence)
  const mayAuthorise = usePermitted(healthLicence.actions.authorise.perm)
  const enable = useAction(healthLicence, 'enable')
  const disable = useAction(healthLicence, 'disable')
  const mayRenew = usePermitted(healthLicence.actions.renew.perm)
  const [authorising, setAuthorising] = useState(false)
  const [renewing, setRenewing] = useState<readonly number[]>()
  const isOff = ({ state }: Licence) => state === 'disabled'
  return (
    <>
      <ListScreen
        resource={healthLicence}
        list={list}
        cells={{ state: ({ state }) => <LicenceState state={state} reader={reader} /> }}
        toolbar={<Expiring resource={healthLicence} list={list} />}
        primary={
          mayAuthorise ? { label: 'healthLicence.action.authorise', run: () => setAuthorising(true) } : undefined
        }
        rowButtons={[
          { label: 'healthLicence.action.renew', shown: () => mayRenew, run: (row) => setRenewing([row.id]) },
          {
            label: 'healthLicence.action.enable',
            shown: (row) => enable.permitted && isOff(row),
            run: (row) => enable.run({ ids: [row.id] }),
          },
          {
            label: 'healthLicence.action.disable',
            confirm: true,
            shown: (row) => disable.permitted && !isOff(row),
            run: (row) => disable.run({ ids: [row.id] }),
          },
        ]}
        bulkButtons={[
          {
            label: 'healthLicence.action.enable',
            shown: enable.permitted,
            run: async ({ ids, count }) => enable.run({ ids: await ids() }, count),
          },
          {
            label: 'healthLicence.action.disable',
            confirm: true,
            shown: disable.permitted,
            run: async ({ ids, count }) => disable.run({ ids: await ids() }, count),
          },
        ]}
      />
      {authorising && <AuthoriseHealth onClose={() => setAuthorising(false)} />}
      {renewing && <Renew resource={healthLicence} ids={renewing} onClose={() => setRenewing(undefined)} />}
    </>
  )
}
