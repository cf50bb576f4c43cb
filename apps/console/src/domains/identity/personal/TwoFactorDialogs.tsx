import { disableTwoFactor, renewRecoveryCodes } from '@campanile/contract/identity'
import { Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { calls } from '../../../kit/calls.ts'
import { encryptSecret } from '../../../kit/encrypt.ts'
import { DialogForm } from '../../../kit/form/DialogForm.tsx'
import { useFields } from '../../../kit/form/useFields.ts'
import { toast } from '../../../shell/feedback.ts'
import { AppCodeForm } from './AppCodeForm.tsx'
import { CurrentPassword } from './CurrentPassword.tsx'
import { RecoveryDialog } from './RecoveryDialog.tsx'
import { SixDigits } from './SixDigits.tsx'

interface Props {
  onClose: () => void
  onChanged: () => void
}

/** Needs both what the person knows and what they have: a forgotten open browser must not be enough. */
export function DisableTwoFactor({ onClose, onChanged }: Props) {
  const { t } = useTranslation()
  const form = useFields(
    { password: '', code: '' },
    {
      check: ({ password, code }) => ({
        ...(password === '' ? { password: t('kit.error.required') } : {}),
        ...(code === '' ? { code: t('kit.error.required') } : {}),
      }),
    },
  )
  const disable = async () => {
    const done = await form.submit(async ({ password, code }) =>
      calls.call(disableTwoFactor, { password: await encryptSecret(password), code }),
    )
    if (!done) return
    toast.success(t('personal.twoFactor.disabled'))
    onChanged()
    onClose()
  }
  return (
    <Modal open width={440} title={t('personal.twoFactor.disable')} footer={null} onCancel={onClose}>
      <DialogForm
        lead={t('personal.twoFactor.disableLead')}
        submit={t('personal.twoFactor.disable')}
        danger
        busy={form.busy}
        onSubmit={disable}
        onCancel={onClose}
      >
        <CurrentPassword
          field={form.field('password')}
          value={form.values.password}
          onChange={(password) => form.set('password', password)}
        />
        <SixDigits
          {...form.field('code')}
          recovery
          value={form.values.code}
          onChange={(code) => form.set('code', code)}
          label={t('personal.twoFactor.code')}
          help={t('personal.twoFactor.orRecovery')}
        />
      </DialogForm>
    </Modal>
  )
}

/** The old codes stop working the moment the new ones are shown. */
export function RenewRecoveryCodes({ onClose, onChanged }: Props) {
  const { t } = useTranslation()
  const [codes, setCodes] = useState<string[]>()
  const renew = async (code: string) => {
    setCodes((await calls.call(renewRecoveryCodes, { code })).recoveryCodes)
    onChanged()
  }
  return (
    <RecoveryDialog title={t('personal.recovery.renew')} codes={codes} onClose={onClose}>
      <AppCodeForm
        lead={t('personal.recovery.renewLead')}
        submit={t('personal.recovery.renew')}
        onCode={renew}
        onCancel={onClose}
      />
    </RecoveryDialog>
  )
}
