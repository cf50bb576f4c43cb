import { Select } from 'antd'
import { useTranslation } from 'react-i18next'
import type { InputProps } from '../../../kit/inputs/input-props.ts'
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
function RolesPicker({ label, disabled = false, invalid = false, describedBy, held = [], ...select }: Props) {
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

/** What the row holds, with the names it brought along, in one text or several. */
const heldBy = ({ row, name, field }: InputProps) => {
  const known = row?.[field.nameField ?? '']
  const names: unknown[] = typeof known === 'string' ? known.split(/,\s*/) : Array.isArray(known) ? known : []
  return idsOf(row?.[name]).map((id, at) => ({ id, name: String(names[at] ?? `#${id}`) }))
}
const idsOf = (value: unknown): number[] => (Array.isArray(value) ? value : [])

export function RolesInput(props: InputProps) {
  const { id, name, reader, value, onChange, onBlur, disabled, invalid, describedBy } = props
  return (
    <RolesPicker
      {...{ id, onChange, onBlur, disabled, invalid, describedBy }}
      label={reader.field(name)}
      value={idsOf(value)}
      held={heldBy(props)}
    />
  )
}
