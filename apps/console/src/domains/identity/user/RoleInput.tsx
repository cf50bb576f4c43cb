import { Select } from 'antd'
import { useAssignableRoles } from '../../../kit/inputs/assignableRoles.ts'
import type { InputProps } from '../../../kit/inputs/inputs.tsx'

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(/,\s*/) : []

/** Roles the administrator may give away. Those the user already holds keep their names although they are not among them. */
export function RoleInput({
  id,
  name,
  value,
  onChange,
  onBlur,
  invalid,
  disabled,
  describedBy,
  reader,
  row,
}: InputProps) {
  const assignable = useAssignableRoles()
  const chosen = Array.isArray(value) ? (value as number[]) : []
  const heldIds = Array.isArray(row?.[name]) ? (row[name] as number[]) : []
  const heldNames = texts(row?.roleNames)
  const held = heldIds
    .map((roleId, at) => ({ value: roleId, label: heldNames[at] ?? `#${roleId}` }))
    .filter((role) => !assignable.some((each) => each.id === role.value))
  return (
    <Select
      id={id}
      className="whole"
      mode="multiple"
      showSearch={{ optionFilterProp: 'label' }}
      value={chosen}
      onChange={onChange}
      onBlur={onBlur}
      disabled={disabled}
      {...(invalid ? { status: 'error' as const } : {})}
      placeholder={reader.t('kit.input.chooseRoles')}
      aria-label={reader.field(name)}
      aria-describedby={describedBy}
      options={[
        ...assignable.map((role) => ({ value: role.id, label: `${role.name} · ${role.departmentName}` })),
        ...held,
      ]}
      notFoundContent={reader.t('user.noAssignableRole')}
    />
  )
}
