import { assignableRoles } from '@campanile/contract'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { calls } from '../calls.ts'

/** Roles the person may give away. */
export const useAssignableRoles = () =>
  useQuery({
    queryKey: ['assignableRoles'],
    queryFn: async () => (await calls.call(assignableRoles, {})).rows,
    staleTime: 60_000,
  }).data ?? []

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
