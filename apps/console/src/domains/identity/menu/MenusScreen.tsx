import { type MenuNode, menu } from '@campanile/contract/identity'
import { Button, Skeleton } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Failed } from '../../../kit/Failed.tsx'
import type { KeptForm } from '../../../kit/form/keptForm.ts'
import { useReader } from '../../../kit/index.ts'
import { SearchInput } from '../../../kit/inputs/SearchInput.tsx'
import { DetailDrawer } from '../../../kit/list/Opened.tsx'
import { useRowMenu } from '../../../kit/list/useRowMenu.tsx'
import { usePermitted } from '../../../kit/useAction.ts'
import { later } from '../../../shell/later.tsx'
import { Page } from '../../../shell/Page.tsx'
import { useKeptInput } from '../../../shell/tabs/index.ts'
import { MenuTable } from './MenuTable.tsx'
import { everyNode, linesOf, narrowed, toRow } from './menuTree.ts'
import { useMenuActions } from './useMenuActions.ts'
import { useMenuTree } from './useMenuTree.ts'
import '../../../kit/kit.css'
import '../identity.css'

const MenuForm = later(async () => (await import('./MenuForm.tsx')).MenuForm)
const MoveEntry = later(async () => (await import('./MoveEntry.tsx')).MoveEntry)

type Opened = { kind: 'create'; parent: MenuNode | undefined } | { kind: 'edit' | 'view' | 'move'; node: MenuNode }

/** The form that was half-filled when the page was loaded anew. */
const openedBefore = (tree: readonly MenuNode[], kept: KeptForm | undefined): Opened | undefined => {
  if (!kept?.about) return { kind: 'create', parent: undefined }
  const node = everyNode(tree).find(({ menuId }) => menuId === kept.about?.id)
  return node && { kind: 'edit', node }
}

/** The tree behind the navigation. What is changed here changes the menu at the left at once. */
export default function MenusScreen() {
  const { t } = useTranslation()
  const reader = useReader(menu)
  const { data, error, refetch, isFetching, changed } = useMenuTree()
  const tree = data ?? []
  const mayCreate = usePermitted(menu.perms.create)
  const mayUpdate = usePermitted(menu.perms.update)
  const kept = useKeptInput<KeptForm>(menu.name)
  const [chosen, setOpened] = useState<Opened | 'kept' | undefined>(kept && 'kept')
  const opened = chosen === 'kept' ? data && openedBefore(tree, kept) : chosen
  const [keyword, setKeyword] = useState('')
  const [folds, setOpen] = useState<ReadonlySet<number>>()
  const close = () => setOpened(undefined)
  const look = (node: MenuNode) => setOpened({ kind: mayUpdate ? 'edit' : 'view', node })

  // Areas are open until somebody closes them: what they hold is what is looked for here.
  const open = folds ?? new Set(tree.map((node) => node.menuId))
  const shown = narrowed(tree, keyword)
  const searching = keyword.trim() !== ''
  const lines = linesOf(shown, (id) => searching || open.has(id))
  const parents = everyNode(tree).filter((node) => node.list.length > 0)
  const allOpen = parents.every((node) => open.has(node.menuId))

  const actionsOf = useMenuActions({
    tree,
    changed,
    onAdd: (parent) => setOpened({ kind: 'create', parent }),
    onEdit: look,
    onMove: (node) => setOpened({ kind: 'move', node }),
  })
  const [rowMenu, openRowMenu] = useRowMenu(({ id }) => {
    const line = lines.find(({ node }) => node.menuId === id)
    return line === undefined ? [] : actionsOf(line)
  })

  return (
    <Page
      title={reader.title}
      {...(data === undefined ? {} : { sub: reader.count(everyNode(tree).length) })}
      actions={
        <>
          <Button
            disabled={searching}
            onClick={() => setOpen(new Set(allOpen ? [] : parents.map((node) => node.menuId)))}
          >
            {t(allOpen ? 'menu.tree.collapseAll' : 'menu.tree.expandAll')}
          </Button>
          {mayCreate && (
            <Button {...MenuForm.near} type="primary" onClick={() => setOpened({ kind: 'create', parent: undefined })}>
              {reader.action('create')}
            </Button>
          )}
        </>
      }
    >
      <SearchInput className="menu-search" label={t('menu.tree.search')} value={keyword} onChange={setKeyword} />
      {data === undefined && error !== null && <Failed error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton active className="panel" />}
      {data !== undefined && (
        <div className="list-body">
          <div className="list-frame">
            <MenuTable
              lines={lines}
              reader={reader}
              busy={isFetching}
              isOpen={(id) => searching || open.has(id)}
              onToggle={(id) =>
                setOpen(open.has(id) ? new Set([...open].filter((each) => each !== id)) : new Set([...open, id]))
              }
              onMenu={(node, button) => openRowMenu({ id: node.menuId }, button)}
              onOpen={look}
            />
            {lines.length === 0 && (
              <div className="list-state" role="status">
                <p>{searching ? t('kit.list.noMatch') : reader.empty}</p>
                {searching && <Button onClick={() => setKeyword('')}>{t('kit.filter.clear')}</Button>}
              </div>
            )}
          </div>
        </div>
      )}
      {rowMenu}
      {(opened?.kind === 'create' || opened?.kind === 'edit') && (
        <MenuForm
          tree={tree}
          node={opened.kind === 'edit' ? opened.node : undefined}
          parent={opened.kind === 'create' ? opened.parent : undefined}
          onClose={close}
          onSaved={changed}
        />
      )}
      {opened?.kind === 'view' && <DetailDrawer resource={menu} row={toRow(opened.node, tree)} onClose={close} />}
      {opened?.kind === 'move' && <MoveEntry tree={tree} node={opened.node} onClose={close} onMoved={changed} />}
    </Page>
  )
}
