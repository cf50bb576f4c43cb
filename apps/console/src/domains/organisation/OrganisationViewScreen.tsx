import { organisation, organisationDetail } from '@campanile/contract/organisation'
import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { Failed } from '../../kit/Failed.tsx'
import type { KeptForm } from '../../kit/form/keptForm.ts'
import { calls } from '../../kit/index.ts'
import { listKey } from '../../kit/list/useResourceList.ts'
import { usePermitted } from '../../kit/useAction.ts'
import { Page } from '../../shell/Page.tsx'
import { useKeptInput } from '../../shell/tabs/index.ts'
import { OrganisationType } from './OrganisationType.tsx'
import { OrganisationForm } from './opened.ts'
import { bearsChildren } from './refusal.ts'
import { useOperate } from './useOperate.ts'
import { useRemoveOrganisation } from './useRemoveOrganisation.tsx'
import { Administrators } from './view/Administrators.tsx'
import { Children } from './view/Children.tsx'
import { Counts } from './view/Counts.tsx'
import { Facts } from './view/Facts.tsx'
import { Trail } from './view/Trail.tsx'
import '../../kit/cards.css'
import '../../kit/kit.css'
import './organisation.css'

/** Everything about one organisation: what it is, what it holds, who looks after it. */
export default function OrganisationViewScreen() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const id = Number(useParams().id)
  const { data, error, refetch } = useQuery({
    // Under the list's own key, so that whatever changes a row reads this again.
    queryKey: [...listKey(organisation), 'detail', id],
    queryFn: ({ signal }) => calls.call(organisationDetail, { id }, { signal }),
  })
  const kept = useKeptInput<KeptForm>(organisation.name)
  const [opened, setOpened] = useState<'edit' | 'below' | undefined>(kept && (kept.about ? 'edit' : 'below'))
  const close = () => setOpened(undefined)
  const mayCreate = usePermitted(organisation.perms.create)
  const mayEdit = usePermitted(organisation.perms.update)
  const removal = useRemoveOrganisation(() => navigate('/org/list', { replace: true }))
  const { operate, isHere } = useOperate()

  if (!data)
    return (
      <Page title={t('organisation.view.title')}>
        {error ? <Failed error={error} onRetry={refetch} /> : <Skeleton active paragraph={{ rows: 10 }} />}
      </Page>
    )
  const { row, maintenance, path, counts, administrators, children } = data
  return (
    <Page
      title={row.name}
      tabTitle={row.name}
      sub={
        <span className="view-sub">
          <OrganisationType type={row.type} />
          <Trail path={path} id={id} />
        </span>
      }
      actions={
        <>
          {removal.permitted && <Button onClick={() => removal.remove(row)}>{t('organisation.action.delete')}</Button>}
          {mayCreate && bearsChildren(row.type) && (
            <Button {...OrganisationForm.near} onClick={() => setOpened('below')}>
              {t('organisation.action.addChild')}
            </Button>
          )}
          {mayEdit && (
            <Button {...OrganisationForm.near} onClick={() => setOpened('edit')}>
              {t('organisation.action.edit')}
            </Button>
          )}
          {isHere(id) ? (
            <span className="view-here">{t('organisation.view.operatingHere')}</span>
          ) : (
            <Button type="primary" onClick={() => operate(id)}>
              {t('organisation.action.operate')}
            </Button>
          )}
        </>
      }
    >
      <Counts id={id} counts={counts} />
      <div className="view-columns">
        <Facts row={row} maintenance={maintenance} />
        <div className="view-side">
          <Administrators id={id} rows={administrators} />
          <Children id={id} rows={children} />
        </div>
      </div>
      {opened === 'edit' && <OrganisationForm row={row} onClose={close} />}
      {opened === 'below' && <OrganisationForm parentId={id} onClose={close} />}
    </Page>
  )
}
