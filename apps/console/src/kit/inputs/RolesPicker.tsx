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
}

export function RolesPicker({ id, label, value, onChange, onBlur, disabled, invalid }: Props) {
  const { t } = useTranslation()
  const roles = useAssignableRoles()
  return (
    <Select
      {...(id === undefined ? {} : { id })}
      className="whole"
      mode="multiple"
      showSearch={{ optionFilterProp: 'label' }}
      value={value}
      onChange={onChange}
      {...(onBlur ? { onBlur } : {})}
      disabled={disabled === true}
      {...(invalid ? { status: 'error' as const } : {})}
      placeholder={t('kit.input.chooseRoles')}
      aria-label={label}
      options={roles.map((role) => ({ value: role.id, label: `${role.name} · ${role.departmentName}` }))}
    />
  )
}
