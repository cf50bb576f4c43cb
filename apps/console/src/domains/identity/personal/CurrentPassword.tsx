import { Input } from 'antd'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { Labelled } from '../../../kit/form/Labelled.tsx'

type Field = Omit<ComponentProps<typeof Labelled>, 'label' | 'children'> & { onBlur: () => void }

/** Shows that it is still the person who signed in. */
export function CurrentPassword(props: { field: Field; value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation()
  const { field, value, onChange } = props
  return (
    <Labelled {...field} label={t('personal.password.old')} required>
      {(state) => (
        <Input.Password
          {...state}
          autoFocus
          autoComplete="current-password"
          {...(field.error === undefined ? {} : { status: 'error' as const })}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onBlur={field.onBlur}
        />
      )}
    </Labelled>
  )
}
