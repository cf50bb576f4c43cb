import { iotLicence } from '@campanile/contract/licence'
import { Select } from 'antd'
import { useId, useState } from 'react'
import { Labelled } from '../../kit/form/Labelled.tsx'
import { useReader } from '../../kit/index.ts'
import { useAction } from '../../kit/useAction.ts'
import { AuthoriseDrawer } from './AuthoriseDrawer.tsx'

const defaultType = 0

/** Devices that may connect, for how long and by which kind of licence. */
export function AuthoriseIot({ onClose }: { onClose: () => void }) {
  const reader = useReader(iotLicence)
  const id = useId()
  const authorise = useAction(iotLicence, 'authorise')
  const [type, setType] = useState(defaultType)
  return (
    <AuthoriseDrawer
      title={reader.t('iotLicence.action.authorise')}
      busy={authorise.running}
      onSubmit={(given) => authorise.run({ ...given, type }, given.sns.length)}
      onClose={onClose}
    >
      <Labelled id={id} label={reader.field('type')} required>
        {(state) => (
          <Select
            {...state}
            value={type}
            onChange={setType}
            options={reader.codesOf('type').map((value) => ({ value, label: reader.code('type', value) }))}
          />
        )}
      </Labelled>
    </AuthoriseDrawer>
  )
}
