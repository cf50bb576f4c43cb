import { role } from '@campanile/contract/identity'
import type { Row } from '@campanile/contract/kit'
import { Drawer, Skeleton } from 'antd'
import { useTranslation } from 'react-i18next'
import { Failed } from '../../../kit/Failed.tsx'
import { FormDrawer, type OwnInputs } from '../../../kit/form/FormDrawer.tsx'
import { useSettle } from '../useSettle.ts'
import { DepartmentTree } from './DepartmentTree.tsx'
import { OperationTree } from './OperationTree.tsx'
import { useRoleDetail } from './useRoleDetail.ts'

type Role = Row<typeof role>

interface Props {
  row?: Role | undefined
  /** A new role starts with what this one grants. */
  copied?: Role | undefined
  onClose: () => void
}

const ids = (value: unknown) => (Array.isArray(value) ? (value as number[]) : [])

const inputs: OwnInputs = {
  menuIds: ({ id, name, value, onChange, disabled, reader, describedBy }) => (
    <OperationTree
      id={id}
      label={reader.field(name)}
      granted={ids(value)}
      onChange={onChange}
      disabled={disabled}
      describedBy={describedBy}
    />
  ),
  departmentIds: ({ id, name, value, onChange, disabled, reader, describedBy }) => (
    <DepartmentTree
      id={id}
      label={reader.field(name)}
      granted={ids(value)}
      onChange={onChange}
      disabled={disabled}
      describedBy={describedBy}
    />
  ),
}

/** Opens once both halves of the role are there, so that nothing is saved that was never seen. */
export function RoleForm({ row: edited, copied, onClose }: Props) {
  const settle = useSettle(role)
  const { t } = useTranslation()
  const source = edited ?? copied
  const { data: detail, error, refetch } = useRoleDetail(source?.id)
  if (source !== undefined && detail === undefined)
    return (
      <Drawer open size={720} title={t(`role.action.${edited === undefined ? 'create' : 'update'}`)} onClose={onClose}>
        {error === null ? <Skeleton active /> : <Failed error={error} onRetry={() => void refetch()} />}
      </Drawer>
    )
  const given =
    copied === undefined || detail === undefined
      ? undefined
      : { ...detail, name: t('role.copyName', { name: detail.name }).slice(0, role.fields.name.max) }
  return (
    <FormDrawer
      resource={role}
      wide
      row={edited === undefined ? undefined : { ...edited, ...detail }}
      given={given}
      inputs={inputs}
      onClose={onClose}
      onSaved={() => settle(edited === undefined ? 'created' : 'changed')}
    />
  )
}
