import type { healthLicence, imLicence, iotLicence } from '@campanile/contract/licence'
import { Modal } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogForm } from '../../kit/form/DialogForm.tsx'
import { Labelled } from '../../kit/form/Labelled.tsx'
import { useAction } from '../../kit/useAction.ts'
import { TermInput } from './TermInput.tsx'

type Licence = typeof iotLicence | typeof imLicence | typeof healthLicence

/** More time for licences that still hold, and new time for those that have run out. */
export function Renew({ resource, ids, onClose }: { resource: Licence; ids: readonly number[]; onClose: () => void }) {
  const { t } = useTranslation()
  const id = useId()
  const [months, setMonths] = useState(12)
  const renew = useAction(resource as typeof iotLicence, 'renew')
  return (
    <Modal open width={420} title={t('licence.renewTitle', { count: ids.length })} footer={null} onCancel={onClose}>
      <DialogForm
        lead={t('licence.renewLead')}
        submit={t(`${resource.name}.action.renew`)}
        busy={renew.running}
        onSubmit={async () => {
          if (await renew.run({ ids: [...ids], months }, ids.length)) onClose()
        }}
        onCancel={onClose}
      >
        <Labelled id={id} label={t('licence.term')} required>
          {(state) => <TermInput {...state} value={months} onChange={setMonths} />}
        </Labelled>
      </DialogForm>
    </Modal>
  )
}
