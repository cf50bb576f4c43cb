import type { Row } from '@campanile/contract/kit'
import { healthLicence } from '@campanile/contract/licence'
import { Input } from 'antd'
import { useId, useState } from 'react'
import { Labelled } from '../../kit/form/Labelled.tsx'
import { ListScreen, usePermitted, useReader, useResourceList } from '../../kit/index.ts'
import { useAction } from '../../kit/useAction.ts'
import { later } from '../../shell/later.tsx'
import { Expiring } from './Expiring.tsx'
import { LicenceState } from './LicenceState.tsx'
import './licence.css'

const AuthoriseDrawer = later(async () => (await import('./AuthoriseDrawer.tsx')).AuthoriseDrawer)
const Renew = later(async () => (await import('./Renew.tsx')).Renew)

type Licence = Row<typeof healthLicence>

/** S038: which devices may ask a province's health-code interface. */
export default function HealthLicencesScreen() {
  const reader = useReader(healthLicence)
  const { t } = reader
  const id = useId()
  const list = useResourceList(healthLicence)
  const authorise = useAction(healthLicence, 'authorise')
  const enable = useAction(healthLicence, 'enable')
  const disable = useAction(healthLicence, 'disable')
  const mayRenew = usePermitted(healthLicence.actions.renew.perm)
  const [authorising, setAuthorising] = useState(false)
  const [renewing, setRenewing] = useState<readonly number[]>()
  const [province, setProvince] = useState('')
  const [missing, setMissing] = useState(false)
  const isOff = ({ state }: Licence) => state === 'disabled'
  const give = async (chosen: { sns: string[]; months: number }) => {
    setMissing(province.trim() === '')
    if (province.trim() !== '') return authorise.run({ ...chosen, interface: province }, chosen.sns.length)
    document.getElementById(id)?.focus()
    return false
  }
  return (
    <>
      <ListScreen
        resource={healthLicence}
        list={list}
        cells={{ state: ({ state }) => <LicenceState state={state} reader={reader} /> }}
        toolbar={<Expiring resource={healthLicence} list={list} />}
        primary={
          authorise.permitted ? { label: 'healthLicence.action.authorise', run: () => setAuthorising(true) } : undefined
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
      {authorising && (
        <AuthoriseDrawer
          title={t('healthLicence.action.authorise')}
          busy={authorise.running}
          onSubmit={give}
          onClose={() => setAuthorising(false)}
        >
          <Labelled
            id={id}
            label={reader.field('interface')}
            error={missing && province.trim() === '' ? t('kit.error.required') : undefined}
            required
          >
            {(state) => (
              <Input {...state} maxLength={64} value={province} onChange={(event) => setProvince(event.target.value)} />
            )}
          </Labelled>
        </AuthoriseDrawer>
      )}
      {renewing && <Renew resource={healthLicence} ids={renewing} onClose={() => setRenewing(undefined)} />}
    </>
  )
}
