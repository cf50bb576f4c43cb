import type { MenuItem } from '@campanile/contract/identity'
import { Button, Skeleton, Tree } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Failed } from '../../../kit/Failed.tsx'
import { SearchInput } from '../../../kit/inputs/SearchInput.tsx'
import { everyTitle, localiseTitle } from '../../../shell/localised.ts'
import { currentLanguage } from '../../../shell/texts.ts'
import {
  countOf,
  grantAll,
  hasView,
  indexOperations,
  marks,
  type OperationIndex,
  settle,
  toggle,
  toggleView,
  withoutLoneDirectories,
} from './operationTree.ts'
import { useGrantableMenus } from './useRoleDetail.ts'

interface Props {
  id: string
  label: string
  granted: readonly number[]
  onChange?: (ids: number[]) => void
  disabled?: boolean
  describedBy?: string | undefined
}

const matches = (item: MenuItem, keyword: string) =>
  [...everyTitle(item.name), item.perms ?? ''].some((text) => text.toLowerCase().includes(keyword))

/** What is found, everything below it and the way to it. */
const narrowed = (items: readonly MenuItem[], keyword: string): MenuItem[] =>
  keyword === ''
    ? [...items]
    : items.flatMap((item) => {
        if (matches(item, keyword)) return [item]
        const list = narrowed(item.list, keyword)
        return list.length > 0 ? [{ ...item, list }] : []
      })

const branches = (items: readonly MenuItem[]): number[] =>
  items.flatMap((item) => (item.list.length > 0 ? [item.menuId, ...branches(item.list)] : []))

/** Directories, menus and buttons to tick. Ticking a branch ticks all of it; half a branch is a dash. */
export function OperationTree(props: Props) {
  const menus = useGrantableMenus()
  if (menus.data === undefined)
    return menus.error === null ? (
      <Skeleton active />
    ) : (
      <Failed error={menus.error} onRetry={() => void menus.refetch()} />
    )
  return <Operations {...props} all={menus.data} />
}

function Operations({ id, label, granted, onChange, disabled = false, describedBy, all }: Props & { all: MenuItem[] }) {
  const { t } = useTranslation()
  const items = useMemo(() => withoutLoneDirectories(all), [all])
  const index = useMemo(() => indexOperations(all), [all])
  const held = useMemo(() => settle(index, granted), [index, granted])
  const [keyword, setKeyword] = useState('')
  // The areas; the buttons of a page are for whoever opens it.
  const [expanded, setExpanded] = useState<readonly number[]>(() =>
    items.filter(({ list }) => list.some((each) => each.list.length > 0)).map((item) => item.menuId),
  )
  const wanted = keyword.trim().toLowerCase()
  const shown = useMemo(() => narrowed(items, wanted), [items, wanted])
  const count = countOf(index.roots, held)
  const put = (next: ReadonlySet<number>) => onChange?.([...next])

  return (
    <div className="grant-tree">
      <div className="grant-head">
        <SearchInput
          id={id}
          label={t('role.tree.searchOperations')}
          aria-describedby={describedBy}
          value={keyword}
          onChange={setKeyword}
          // Enter looks, it does not save the role.
          onPressEnter={(event) => event.preventDefault()}
        />
        <Button onClick={() => setExpanded(expanded.length > items.length ? [] : branches(items))}>
          {t(expanded.length > items.length ? 'role.tree.collapse' : 'role.tree.expand')}
        </Button>
        {!disabled && (
          <Button onClick={() => put(count.granted === count.total ? new Set() : grantAll(index))}>
            {t(count.granted === count.total ? 'role.tree.untickAll' : 'role.tree.tickAll')}
          </Button>
        )}
      </div>
      <p className="grant-count" role="status">
        {t('role.tree.operations', { ...count, count: count.total })}
      </p>
      {shown.length === 0 ? (
        <p className="grant-empty">{t('kit.list.noMatch')}</p>
      ) : (
        <Tree
          aria-label={label}
          checkable
          checkStrictly
          selectable={false}
          disabled={disabled}
          height={320}
          checkedKeys={withViews(index, held)}
          expandedKeys={wanted === '' ? [...expanded] : branches(shown)}
          onExpand={(keys) => setExpanded(keys.map(Number))}
          onCheck={(_, { node }) => {
            const key = Number(node.key)
            put(key < 0 ? toggleView(index, held, -key) : toggle(index, held, key))
          }}
          treeData={toTree(shown, index, held, t('role.tree.viewOnly'))}
        />
      )}
    </div>
  )
}

interface TreeEntry {
  key: number
  title: React.ReactNode
  children: TreeEntry[]
}

/** The leaf of looking has the number of its page, below zero. */
const withViews = (index: OperationIndex, held: ReadonlySet<number>) => {
  const { checked, halfChecked } = marks(index, held)
  const views = [...index.byId.values()].filter((each) => hasView(each) && held.has(each.id))
  return { checked: [...checked, ...views.map(({ id }) => -id)], halfChecked }
}

const toTree = (
  items: readonly MenuItem[],
  index: OperationIndex,
  held: ReadonlySet<number>,
  view: string,
): TreeEntry[] =>
  items.map((item) => {
    const operation = index.byId.get(item.menuId)
    const count = operation !== undefined && operation.children.length > 0 ? countOf([operation], held) : undefined
    return {
      key: item.menuId,
      title: (
        // What it is called in rules and logs is for those who look for it.
        <span className="grant-title" title={item.perms ?? undefined}>
          {localiseTitle(item.name, currentLanguage())}
          {count !== undefined && (
            <span className="grant-figure">
              {count.granted}/{count.total}
            </span>
          )}
        </span>
      ),
      children: [
        ...(operation && hasView(operation) ? [{ key: -item.menuId, title: view, children: [] }] : []),
        ...toTree(item.list, index, held, view),
      ],
    }
  })
