import { healthLicence } from '@campanile/contract/licence'
import { Input } from 'antd'
import { useId, useState } from 'react'
import { Labelled } from '../../kit/form/Labelled.tsx'
import { useReader } from '../../kit/index.ts'
import { useAction } from '../../kit/useAction.ts'
import { AuthoriseDrawer } from './AuthoriseDrawer.tsx'

/** Devices that may ask a province's health-code interface, and which one. */
export function AuthoriseHealth({ onClose }: { onClose: () => void }) {
  const reader = useReader(healthLicence)
  const id = useId()
  const authorise = useAction(healthLicence, 'authorise')
  const [province, setProvince] = useState('')
  const [missing, setMissing] = useState(false)
  const give = async (chosen: { sns: string[]; months: number }) => {
    setMissing(province.trim() === '')
    if (province.trim() !== '') return authorise.run({ ...chosen, interface: province }, chosen.sns.length)
    document.getElementById(id)?.focus()
    return false
  }
  return (
    <AuthoriseDrawer
      title={reader.t('healthLicence.action.authorise')}
      busy={authorise.running}
      onSubmit={give}
      onClose={onClose}
    >
      <Labelled
        id={id}
        label={reader.field('interface')}
        error={missing && province.trim() === '' ? reader.t('kit.error.required') : undefined}
        required
      >
        {(state) => (
          <Input {...state} maxLength={64} value={province} onChange={(event) => setProvince(event.target.value)} />
        )}
      </Labelled>
    </AuthoriseDrawer>
  )
}
