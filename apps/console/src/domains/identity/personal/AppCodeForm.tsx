import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogForm } from '../../../kit/form/DialogForm.tsx'
import { useFields } from '../../../kit/form/useFields.ts'
import { SixDigits } from './SixDigits.tsx'

interface Props {
  lead: string
  submit: string
  onCode: (code: string) => Promise<unknown>
  onCancel: () => void
  children?: ReactNode
}

/** Asks for the present code of the authenticator app. */
export function AppCodeForm({ lead, submit, onCode, onCancel, children }: Props) {
  const { t } = useTranslation()
  const form = useFields(
    { code: '' },
    { check: ({ code }) => (/^\d{6}$/.test(code) ? {} : { code: t('personal.twoFactor.sixDigits') }) },
  )
  return (
    <DialogForm
      lead={lead}
      submit={submit}
      busy={form.busy}
      onSubmit={() => form.submit(({ code }) => onCode(code))}
      onCancel={onCancel}
    >
      {children}
      <SixDigits
        {...form.field('code')}
        value={form.values.code}
        onChange={(code) => form.set('code', code)}
        label={t('personal.twoFactor.code')}
      />
    </DialogForm>
  )
}
