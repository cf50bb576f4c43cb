import { disableTwoFactor, renewRecoveryCodes } from '@campanile/contract'
import { Button, Input, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { calls } from '../../../kit/calls.ts'
import { encryptSecret } from '../../../kit/encrypt.ts'
import { toast } from '../../../shell/feedback.ts'
import { Labelled } from '../Labelled.tsx'
import { useFields } from '../useFields.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'
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
  const password = form.field('password')
  return (
    <Modal open width={440} title={t('personal.twoFactor.disable')} footer={null} onCancel={onClose}>
      <form
        className="kit-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void disable()
        }}
      >
        <p>{t('personal.twoFactor.disableLead')}</p>
        <Labelled {...password} label={t('personal.password.old')} required>
          {(state) => (
            <Input.Password
              {...state}
              autoFocus
              autoComplete="current-password"
              {...(password.error === undefined ? {} : { status: 'error' as const })}
              value={form.values.password}
              onChange={(event) => form.set('password', event.target.value)}
              onBlur={password.onBlur}
            />
          )}
        </Labelled>
        <SixDigits
          {...form.field('code')}
          recovery
          value={form.values.code}
          onChange={(code) => form.set('code', code)}
          label={t('personal.twoFactor.code')}
          help={t('personal.twoFactor.orRecovery')}
        />
        <div className="dialog-buttons">
          <Button onClick={onClose}>{t('kit.cancel')}</Button>
          <Button type="primary" danger htmlType="submit" loading={form.busy}>
            {t('personal.twoFactor.disable')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

/** The old codes stop working the moment the new ones are shown. */
export function RenewRecoveryCodes({ onClose, onChanged }: Props) {
  const { t } = useTranslation()
  const [codes, setCodes] = useState<string[]>()
  const form = useFields(
    { code: '' },
    { check: ({ code }) => (/^\d{6}$/.test(code) ? {} : { code: t('personal.twoFactor.sixDigits') }) },
  )
  const renew = () =>
    form.submit(async ({ code }) => {
      setCodes((await calls.call(renewRecoveryCodes, { code })).recoveryCodes)
      onChanged()
    })
  const closable = codes === undefined
  return (
    <Modal
      open
      width={480}
      title={t('personal.recovery.renew')}
      footer={null}
      onCancel={onClose}
      closable={closable}
      keyboard={closable}
      mask={{ closable: false }}
    >
      {codes !== undefined ? (
        <RecoveryCodes codes={codes} onKept={onClose} />
      ) : (
        <form
          className="kit-form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void renew()
          }}
        >
          <p>{t('personal.recovery.renewLead')}</p>
          <SixDigits
            {...form.field('code')}
            value={form.values.code}
            onChange={(code) => form.set('code', code)}
            label={t('personal.twoFactor.code')}
          />
          <div className="dialog-buttons">
            <Button onClick={onClose}>{t('kit.cancel')}</Button>
            <Button type="primary" htmlType="submit" loading={form.busy}>
              {t('personal.recovery.renew')}
            </Button>
          </div>
        </form>
      )}
    </Modal>
  )
}
