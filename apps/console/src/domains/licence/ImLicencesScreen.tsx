import type { Row } from '@campanile/contract/kit'
import { type chargeTypes, imLicence } from '@campanile/contract/licence'
import { Input, Radio } from 'antd'
import { useId, useState } from 'react'
import { Labelled } from '../../kit/form/Labelled.tsx'
import { ListScreen, usePermitted, useReader, useResourceList } from '../../kit/index.ts'
import type { Chosen } from '../../kit/list/SelectionBar.tsx'
import { useAction } from '../../kit/useAction.ts'
import { later } from '../../shell/later.tsx'
import { Expiring } from './Expiring.tsx'
import { LicenceState } from './LicenceState.tsx'
import './licence.css'

const AuthoriseDrawer = later(async () => (await import('./AuthoriseDrawer.tsx')).AuthoriseDrawer)
const Renew = later(async () => (await import('./Renew.tsx')).Renew)

type Licence = Row<typeof imLicence>
const start = { chargeType: 'licence' as (typeof chargeTypes)[number], corpId: '', licenceNo: '' }

/** S037: which devices may call through a messaging app, on whose account. */
export default function ImLicencesScreen() {
  const reader = useReader(imLicence)
  const { t } = reader
  const base = useId()
  const list = useResourceList(imLicence)
  const authorise = useAction(imLicence, 'authorise')
  const mayRenew = usePermitted(imLicence.actions.renew.perm)
  const unbind = useAction(imLicence, 'revoke')
  const [authorising, setAuthorising] = useState(false)
  const [renewing, setRenewing] = useState<readonly number[]>()
  const [given, setGiven] = useState(start)
  const holds = ({ state }: Licence) => state !== 'revoked'
  // "All matching" reaches rows that cannot be ticked.
  const holding = async ({ rows }: Chosen) => ((await rows()) as unknown as Licence[]).filter(holds).map(({ id }) => id)
  const assign = (chosen: { sns: string[]; months: number }) =>
    authorise.run(
      {
        ...chosen,
        chargeType: given.chargeType,
        ...(given.corpId.trim() && { corpId: given.corpId }),
        ...(given.licenceNo.trim() && { licenceNo: given.licenceNo }),
      },
      chosen.sns.length,
    )
  return (
    <>
      <ListScreen
        resource={imLicence}
        list={list}
        cells={{ state: ({ state }) => <LicenceState state={state} reader={reader} /> }}
        toolbar={<Expiring resource={imLicence} list={list} />}
        primary={
          authorise.permitted ? { label: 'imLicence.action.authorise', run: () => setAuthorising(true) } : undefined
        }
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
      {authorising && (
        <AuthoriseDrawer
          title={t('imLicence.action.authorise')}
          busy={authorise.running}
          onSubmit={assign}
          onClose={() => setAuthorising(false)}
        >
          <Labelled id={`${base}-charge`} label={reader.field('chargeType')} required>
            {(state) => (
              <Radio.Group
                {...state}
                value={given.chargeType}
                onChange={(event) => setGiven({ ...given, chargeType: event.target.value })}
                options={(['licence', 'duration'] as const).map((value) => ({
                  value,
                  label: reader.option('chargeType', value),
                }))}
              />
            )}
          </Labelled>
          {(['corpId', 'licenceNo'] as const).map((name) => (
            <Labelled key={name} id={`${base}-${name}`} label={reader.field(name)}>
              {(state) => (
                <Input
                  {...state}
                  className="mono"
                  maxLength={64}
                  value={given[name]}
                  onChange={(event) => setGiven({ ...given, [name]: event.target.value })}
                />
              )}
            </Labelled>
          ))}
        </AuthoriseDrawer>
      )}
      {renewing && <Renew resource={imLicence} ids={renewing} onClose={() => setRenewing(undefined)} />}
    </>
  )
}
