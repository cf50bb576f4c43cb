import type { DepartmentNode } from '@campanile/contract/organisation'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { OrganisationType } from '../OrganisationType.tsx'

/** As many as are read at a glance; the list has the rest. */
const mostShown = 12

export function Children({ id, rows }: { id: number; rows: DepartmentNode[] }) {
  const { t, i18n } = useTranslation()
  const figure = new Intl.NumberFormat(i18n.language)
  return (
    <section className="card">
      <header className="card-head">
        <h2>{t('organisation.view.children')}</h2>
        {rows.length > 0 && (
          <Link to={`/org/list?parentId=${id}`}>
            {t('organisation.view.all', { shown: figure.format(rows.length) })}
          </Link>
        )}
      </header>
      {rows.length === 0 ? (
        <p className="card-empty">{t('organisation.view.noChildren')}</p>
      ) : (
        <ul className="card-rows">
          {rows.slice(0, mostShown).map((child) => (
            <li key={child.id}>
              <Link to={`/org/view/${child.id}`}>{child.name}</Link>
              <span className="quiet">
                <OrganisationType type={child.type} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
