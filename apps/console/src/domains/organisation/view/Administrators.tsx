import { user } from '@campanile/contract/identity'
import type { AnswerOf } from '@campanile/contract/kit'
import type { organisationDetail } from '@campanile/contract/organisation'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { SoftTag } from '../../../kit/index.ts'
import { usePermitted } from '../../../kit/useAction.ts'

type Rows = AnswerOf<typeof organisationDetail>['administrators']

/** Who looks after it; nothing at all for somebody who may not see users. */
export function Administrators({ id, rows }: { id: number; rows: Rows }) {
  const { t } = useTranslation()
  const permitted = usePermitted(user.perms.list)
  if (!permitted) return null
  return (
    <section className="card">
      <header className="card-head">
        <h2>{t('organisation.view.administrators')}</h2>
        {rows.length > 0 && (
          <Link to={`/system/user?departmentId=${id}`}>{t('organisation.view.all', { shown: rows.length })}</Link>
        )}
      </header>
      {rows.length === 0 ? (
        <p className="card-empty">{t('organisation.view.noAdministrators')}</p>
      ) : (
        <ul className="card-rows">
          {rows.map(({ id: userId, username, realName, type }) => (
            <li key={userId}>
              <Link to={`/system/user?username=${encodeURIComponent(username)}`}>{username}</Link>
              <span className="quiet">{realName}</span>
              <SoftTag>{t(`user.option.type.${type}`)}</SoftTag>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
