import { enableTwoFactor, startTwoFactor } from '@campanile/contract/identity'
import { Steps } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../kit/CopyButton.tsx'
import { calls } from '../../../kit/calls.ts'
import { encryptSecret } from '../../../kit/encrypt.ts'
import { DialogForm } from '../../../kit/form/DialogForm.tsx'
import { useFields } from '../../../kit/form/useFields.ts'
import { QrCode } from '../../../kit/QrCode.tsx'
import { AppCodeForm } from './AppCodeForm.tsx'
import { CurrentPassword } from './CurrentPassword.tsx'
import { RecoveryDialog } from './RecoveryDialog.tsx'

type Enrolment =
  | { step: 'password' }
  | { step: 'app'; secret: string; uri: string }
  | { step: 'codes'; recoveryCodes: string[] }

const order = ['password', 'app', 'codes'] as const

/** Three steps: prove it is you, let the app learn the secret and prove that it did, keep the recovery codes. */
export function EnableTwoFactor({ onClose, onEnabled }: { onClose: () => void; onEnabled: () => void }) {
  const { t } = useTranslation()
  const [enrolment, setEnrolment] = useState<Enrolment>({ step: 'password' })
  return (
    <RecoveryDialog
      title={t('personal.twoFactor.enable')}
      codes={enrolment.step === 'codes' ? enrolment.recoveryCodes : undefined}
      onClose={onClose}
      above={
        <Steps
          className="two-factor-steps"
          size="small"
          current={order.indexOf(enrolment.step)}
          items={order.map((step) => ({ title: t(`personal.twoFactor.step.${step}`) }))}
        />
      }
    >
      {enrolment.step === 'password' && (
        <PasswordStep onProven={(given) => setEnrolment({ step: 'app', ...given })} onCancel={onClose} />
      )}
      {enrolment.step === 'app' && (
        <AppStep
          secret={enrolment.secret}
          uri={enrolment.uri}
          onCancel={onClose}
          onEnabled={(recoveryCodes) => {
            setEnrolment({ step: 'codes', recoveryCodes })
            onEnabled()
          }}
        />
      )}
    </RecoveryDialog>
  )
}

function PasswordStep(props: { onProven: (given: { secret: string; uri: string }) => void; onCancel: () => void }) {
  const { t } = useTranslation()
  const form = useFields(
    { password: '' },
    { check: ({ password }) => (password === '' ? { password: t('kit.error.required') } : {}) },
  )
  const prove = () =>
    form.submit(async ({ password }) =>
      props.onProven(await calls.call(startTwoFactor, { password: await encryptSecret(password) })),
    )
  return (
    <DialogForm
      lead={t('personal.twoFactor.passwordLead')}
      submit={t('personal.twoFactor.continue')}
      busy={form.busy}
      onSubmit={prove}
      onCancel={props.onCancel}
    >
      <CurrentPassword
        field={form.field('password')}
        value={form.values.password}
        onChange={(password) => form.set('password', password)}
      />
    </DialogForm>
  )
}

interface AppProps {
  secret: string
  uri: string
  onEnabled: (recoveryCodes: string[]) => void
  onCancel: () => void
}

function AppStep({ secret, uri, onEnabled, onCancel }: AppProps) {
  const { t } = useTranslation()
  return (
    <AppCodeForm
      lead={t('personal.twoFactor.scanLead')}
      submit={t('personal.twoFactor.enable')}
      onCode={async (code) => onEnabled((await calls.call(enableTwoFactor, { code })).recoveryCodes)}
      onCancel={onCancel}
    >
      <div className="two-factor-secret">
        <QrCode text={uri} label={t('personal.twoFactor.picture')} />
        <div>
          <p className="field-help">{t('personal.twoFactor.typeLead')}</p>
          <p className="mono secret-groups">{(secret.match(/.{1,4}/g) ?? []).join(' ')}</p>
          <CopyButton text={secret} label={t('personal.twoFactor.copySecret')} />
        </div>
      </div>
    </AppCodeForm>
  )
}
