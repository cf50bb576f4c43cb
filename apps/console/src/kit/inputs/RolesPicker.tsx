import { Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { useAssignableRoles } from './assignableRoles.ts'

interface Props {
  id?: string
  label: string
  value: number[]
  onChange: (value: number[]) => void
  onBlur?: () => void
  disabled?: boolean
  invalid?: boolean
  describedBy?: string | undefined
  /** Roles with names of their own: those a row already holds, which may not be the person's to give. */
  held?: readonly { id: number; name: string }[]
}

/** Roles the person may give away. */
export function RolesPicker({ label, disabled = false, invalid = false, describedBy, held = [], ...select }: Props) {
  const { t } = useTranslation()
  const roles = useAssignableRoles()
  const others = held.filter(({ id }) => !roles.some((role) => role.id === id))
  return (
    <Select
      {...select}
      className="whole"
      mode="multiple"
      showSearch={{ optionFilterProp: 'label' }}
      disabled={disabled}
      {...(invalid ? { status: 'error' as const } : {})}
      placeholder={t('kit.input.chooseRoles')}
      aria-label={label}
      aria-describedby={describedBy}
      options={[
        ...roles.map((role) => ({ value: role.id, label: `${role.name} · ${role.departmentName}` })),
        ...others.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      notFoundContent={t('kit.input.noRole')}
    />
  )
}
