import { ReloadOutlined } from '@ant-design/icons'
import { type DepartmentNode, organisation, organisationDetail } from '@campanile/contract/organisation'
import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { Failed } from '../../kit/Failed.tsx'
import type { KeptForm } from '../../kit/form/keptForm.ts'
import { calls } from '../../kit/index.ts'
import { SearchInput } from '../../kit/inputs/SearchInput.tsx'
import { type RowAction, useRowMenu } from '../../kit/list/useRowMenu.tsx'
import type { AnyRow } from '../../kit/reader.ts'
import { usePermitted } from '../../kit/useAction.ts'
import { showError } from '../../shell/feedback.ts'
import { Page } from '../../shell/Page.tsx'
import { useKeptInput } from '../../shell/tabs/index.ts'
import { MoveDialog, OrganisationForm } from './opened.ts'
import { bearsChildren } from './refusal.ts'
import { OrganisationTree } from './tree/OrganisationTree.tsx'
import { type OrganisationTreeState, useOrganisationTree } from './tree/useOrganisationTree.ts'
import { useOperate } from './useOperate.ts'
import { forgetTree } from './useOrganisationNode.ts'
import { useRemoveOrganisation } from './useRemoveOrganisation.tsx'
import '../../kit/kit.css'
import './organisation.css'

type Opened = { kind: 'below' | 'move'; node: DepartmentNode } | { kind: 'edit'; row: AnyRow } | { kind: 'create' }

export default function OrganisationTreeScreen() {
  const { t, i18n } = useTranslation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const tree = useOrganisationTree()
  const kept = useKeptInput<KeptForm>(organisation.name)
  const [opened, setOpened] = useState<Opened | undefined>(
    kept && (kept.about ? { kind: 'edit', row: kept.about } : { kind: 'create' }),
  )
  const close = () => setOpened(undefined)
  const mayView = usePermitted(organisation.perms.list)
  const mayCreate = usePermitted(organisation.perms.create)
  const mayEdit = usePermitted(organisation.perms.update) && mayView
  const mayMove = usePermitted(organisation.actions.move.perm)
  const removal = useRemoveOrganisation()
  const { operate, isHere } = useOperate()

  const edit = async (id: number) => {
    try {
      setOpened({ kind: 'edit', row: (await calls.call(organisationDetail, { id })).row })
    } catch (error) {
      showError(error)
    }
  }
  const view = ({ id }: { id: number }) => navigate(`/org/view/${id}`)

  const actionsOf = (row: AnyRow): RowAction[] => {
    const node = row as unknown as DepartmentNode
    const all: (RowAction | false)[] = [
      mayView && { key: 'view', label: t('organisation.action.view'), run: () => view(node) },
      mayCreate &&
        bearsChildren(node.type) && {
          key: 'addChild',
          label: t('organisation.action.addChild'),
          run: () => setOpened({ kind: 'below', node }),
        },
      mayEdit && { key: 'edit', label: t('organisation.action.edit'), run: () => edit(node.id) },
      mayMove &&
        node.parentId !== null && {
          key: 'move',
          label: t('organisation.action.move'),
          run: () => setOpened({ kind: 'move', node }),
        },
      !isHere(node.id) && {
        key: 'operate',
        label: t('organisation.action.operate'),
        run: () => operate(node.id),
      },
      removal.permitted && {
        key: 'delete',
        label: t('organisation.action.delete'),
        danger: true,
        run: () => removal.remove(node),
      },
    ]
    return all.filter((each) => each !== false)
  }
  const [menu, openMenu] = useRowMenu(actionsOf)
  const figure = new Intl.NumberFormat(i18n.language)

  return (
    <div className="tree-screen">
      <Page
        title={t('organisation.tree.title')}
        sub={tree.searching && !tree.loading ? hitsText(tree, figure, t) : undefined}
        actions={
          <>
            <Button
              type="text"
              icon={<ReloadOutlined />}
              aria-label={t('organisation.tree.refresh')}
              title={t('organisation.tree.refresh')}
              data-refresh
              onClick={() => forgetTree(queries)}
            />
            {!tree.searching && (
              <>
                <Button onClick={tree.expandAll} loading={tree.expanding}>
                  {t('organisation.tree.expandAll')}
                </Button>
                <Button onClick={tree.collapseAll}>{t('organisation.tree.collapseAll')}</Button>
              </>
            )}
            {mayCreate && (
              <Button {...OrganisationForm.near} type="primary" onClick={() => setOpened({ kind: 'create' })}>
                {t('organisation.action.create')}
              </Button>
            )}
          </>
        }
      >
        <SearchInput
          className="tree-search"
          maxLength={64}
          label={t('organisation.tree.search')}
          data-filter
          value={tree.keyword}
          onChange={tree.setKeyword}
        />
        {tree.stoppedAt !== undefined && (
          <p role="status">{t('organisation.tree.bounded', { shown: figure.format(tree.stoppedAt) })}</p>
        )}
        <section className="tree-card">
          <div className="tree-head" aria-hidden="true">
            <span>{t('organisation.field.name')}</span>
            <span className="tree-count">{t('organisation.tree.children')}</span>
            <span className="tree-count">{t('organisation.tree.devices')}</span>
            <span className="tree-count">{t('organisation.tree.persons')}</span>
          </div>
          <TreeState tree={tree} />
          <OrganisationTree
            tree={tree}
            label={t('organisation.tree.title')}
            counts
            onOpen={mayView ? view : () => undefined}
            onMenu={(node, button) => openMenu({ ...node }, button)}
          />
        </section>
        <p className="visually-hidden">{t('organisation.tree.keys')}</p>
      </Page>
      {menu}
      {opened?.kind === 'create' && <OrganisationForm onClose={close} />}
      {opened?.kind === 'below' && <OrganisationForm parentId={opened.node.id} onClose={close} />}
      {opened?.kind === 'edit' && <OrganisationForm row={opened.row} onClose={close} />}
      {opened?.kind === 'move' && (
        <MoveDialog
          moved={opened.node}
          onClose={close}
          onMoved={(parent) => {
            tree.reveal(parent.path.map(({ id }) => id))
            close()
          }}
        />
      )}
    </div>
  )
}

type Translate = ReturnType<typeof useTranslation>['t']

const hitsText = ({ hits }: OrganisationTreeState, figure: Intl.NumberFormat, t: Translate) =>
  t(hits.isMore ? 'organisation.tree.manyHits' : 'organisation.tree.hits', {
    count: hits.count,
    shown: figure.format(hits.count),
  })

/** What stands where the lines would be. */
function TreeState({ tree }: { tree: OrganisationTreeState }) {
  const { t } = useTranslation()
  if (tree.error) return <Failed error={tree.error} onRetry={tree.retry} />
  if (tree.loading)
    return (
      <div className="tree-bones" aria-hidden="true">
        {[40, 55, 35, 60, 45].map((width) => (
          <span key={width} className="bone" style={{ width: `${width}%` }} />
        ))}
      </div>
    )
  if (tree.rows.length > 0) return null
  return (
    <div className="list-state" role="status">
      <p>
        {tree.searching
          ? t('organisation.tree.noHits', { keyword: tree.keyword.trim() })
          : t('organisation.tree.empty')}
      </p>
      {tree.searching && <Button onClick={() => tree.setKeyword('')}>{t('organisation.tree.clearSearch')}</Button>}
    </div>
  )
}
