import { role, user } from '@campanile/contract/identity'
import type { Row } from '@campanile/contract/kit'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { ListScreen, SoftTag, useReader, useResourceList } from '../../../kit/index.ts'
import { usePermitted } from '../../../kit/useAction.ts'
import { later } from '../../../shell/later.tsx'
import '../identity.css'

type Role = Row<typeof role>

const RoleForm = later(async () => (await import('./RoleForm.tsx')).RoleForm)
const RoleView = later(async () => (await import('./RoleView.tsx')).RoleView)

const usersOf = (row: Role) => `/system/user?roleIds=${row.id}`

/** Operations on departments, granted together. Only the creator changes a role; others look and copy. */
export default function RolesScreen() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const reader = useReader(role)
  const list = useResourceList(role)
  const [copied, setCopied] = useState<Role>()
  const mayCreate = usePermitted(role.perms.create)
  const maySeeUsers = usePermitted(user.perms.list)

  return (
    <>
      <ListScreen
        resource={role}
        list={list}
        cells={{
          name: (row) => (
            <>
              {row.name} {row.preset !== null && <SoftTag>{t('role.presetTag')}</SoftTag>}
              {row.own && <SoftTag tone="accent">{t('role.own')}</SoftTag>}
            </>
          ),
          userCount: (row) =>
            maySeeUsers && row.userCount > 0 ? (
              <Link
                to={usersOf(row)}
                className="figure"
                aria-label={`${reader.number(row.userCount)} · ${t('role.usersOf', { name: row.name })}`}
              >
                {reader.number(row.userCount)}
              </Link>
            ) : (
              <span className="figure">{reader.number(row.userCount)}</span>
            ),
        }}
        editable={(row) => row.own}
        removable={(row) => row.own}
        unselectable={(row) => (row.own ? undefined : t('role.notOwn'))}
        form={RoleForm}
        detail={RoleView}
        rowButtons={[
          { label: 'role.action.copy', shown: () => mayCreate, run: setCopied },
          {
            label: 'role.action.users',
            shown: (row) => maySeeUsers && row.userCount > 0,
            run: (row) => navigate(usersOf(row)),
          },
        ]}
      />
      {copied !== undefined && <RoleForm copied={copied} onClose={() => setCopied(undefined)} />}
    </>
  )
}
