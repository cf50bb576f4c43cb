import { role } from '@campanile/contract/identity'
import type { Row } from '@campanile/contract/kit'
import { Alert, Button, Drawer, Skeleton } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Failed } from '../../../kit/Failed.tsx'
import { usePermitted, useReader } from '../../../kit/index.ts'
import { DepartmentTree } from './DepartmentTree.tsx'
import { OperationTree } from './OperationTree.tsx'
import { RoleForm } from './RoleForm.tsx'
import { useRoleDetail } from './useRoleDetail.ts'

interface Props {
  row: Row<typeof role>
  onClose: () => void
}

/** Somebody else's role: everything to be seen, nothing to be changed, and the way to an own one like it. */
export function RoleView({ row, onClose }: Props) {
  const { t } = useTranslation()
  const reader = useReader(role)
  const mayCopy = usePermitted(role.perms.create)
  const [copying, setCopying] = useState(false)
  const { data: detail, error, refetch } = useRoleDetail(row.id)
  const reason =
    row.preset !== null
      ? t('role.presetNotice')
      : row.own
        ? undefined
        : t('role.notOwnNotice', { creator: row.creatorName ?? '–' })
  if (copying) return <RoleForm copied={row} onClose={onClose} />
  return (
    <Drawer open size={720} title={row.name} onClose={onClose}>
      <div className="role-view">
        {reason !== undefined && (
          <Alert
            type="info"
            showIcon
            title={reason}
            action={mayCopy && <Button onClick={() => setCopying(true)}>{t('role.action.copy')}</Button>}
          />
        )}
        {row.remark !== null && <p className="dialog-text">{row.remark}</p>}
        {error !== null && detail === undefined && <Failed error={error} onRetry={() => void refetch()} />}
        {detail === undefined && error === null && <Skeleton active />}
        {detail !== undefined && (
          <>
            <section>
              <h3>{reader.field('menuIds')}</h3>
              <OperationTree
                id="role-view-operations"
                label={reader.field('menuIds')}
                granted={detail.menuIds}
                disabled
              />
            </section>
            <section>
              <h3>{reader.field('departmentIds')}</h3>
              <DepartmentTree
                id="role-view-data"
                label={reader.field('departmentIds')}
                granted={detail.departmentIds}
                disabled
              />
            </section>
          </>
        )}
      </div>
    </Drawer>
  )
}
