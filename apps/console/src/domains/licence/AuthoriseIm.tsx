import { type chargeTypes, imLicence } from '@campanile/contract/licence'
import { Input, Radio } from 'antd'
import { useId, useState } from 'react'
import { Labelled } from '../../kit/form/Labelled.tsx'
import { useReader } from '../../kit/index.ts'
import { useAction } from '../../kit/useAction.ts'
import { AuthoriseDrawer } from './AuthoriseDrawer.tsx'

const start = { chargeType: 'licence' as (typeof chargeTypes)[number], corpId: '', licenceNo: '' }

/** Devices that may call through a messaging app, and on whose account. */
export function AuthoriseIm({ onClose }: { onClose: () => void }) {
  const reader = useReader(imLicence)
  const base = useId()
  const authorise = useAction(imLicence, 'authorise')
  const [given, setGiven] = useState(start)
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
    <AuthoriseDrawer
      title={reader.t('imLicence.action.authorise')}
      busy={authorise.running}
      onSubmit={assign}
      onClose={onClose}
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
  )
}
