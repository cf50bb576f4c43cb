import { DownOutlined, PlusOutlined } from '@ant-design/icons'
import { removeView, type SavedView, savedViews, saveView } from '@campanile/contract/identity'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Fragment, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { showError } from '../../shell/feedback.ts'
import { later } from '../../shell/later.tsx'
import { MenuButton } from '../../shell/menus/MenuButton.tsx'
import { calls } from '../calls.ts'
import type { Reader } from '../reader.ts'
import { useConfirm } from '../useConfirm.tsx'
import { settleColumns } from './columns.ts'
import type { Columns } from './useColumns.ts'
import type { ResourceList } from './useResourceList.ts'
import type { ViewDraft } from './ViewDialog.tsx'
import { ViewTab } from './ViewTab.tsx'
import { isOpen, isSameView, readyViews, viewOf } from './views.ts'

const ViewDialog = later(async () => (await import('./ViewDialog.tsx')).ViewDialog)
const blank: ViewDraft = { name: '', shared: false, isDefault: false }

/**
 * Filters, sort and columns under a name, one tab each: everything first, then what the declaration offers, then one's own and
 * those shared in the organisation.
 * The address carries `view=`.
 */
export function SavedViews({ list, columns, reader }: { list: ResourceList; columns: Columns; reader: Reader }) {
  const { t } = reader
  const { resource } = list
  const queryKey = ['savedViews', resource.name]
  const queries = useQueryClient()
  const confirm = useConfirm()
  const [draft, setDraft] = useState<ViewDraft>()
  const [saving, setSaving] = useState(false)
  const { data: views } = useQuery({
    queryKey,
    queryFn: async () => (await calls.call(savedViews, { resource: resource.name })).rows,
    staleTime: 60_000,
  })
  const current = views?.find((view) => view.id === list.state.view)
  const reload = () => queries.invalidateQueries({ queryKey })

  const open = (view: SavedView, how: 'push' | 'replace' = 'push') => {
    const { columns: order, hidden, density } = view.state
    if (order) columns.change(settleColumns(resource, { order, hidden, pinned: columns.settings.pinned, density }))
    list.openView(view.state.search, view.id, how)
  }
  useOpening(list, views, open)

  const now = () => viewOf(list.searchText(), columns.settings)
  const save = async ({ id, name, shared, isDefault }: ViewDraft, state = now()) => {
    setSaving(true)
    try {
      const saved = await calls.call(saveView, {
        ...(id === undefined ? {} : { id }),
        resource: resource.name,
        name,
        shared,
        isDefault,
        state,
      })
      await reload()
      setDraft(undefined)
      list.openView(state.search, saved?.id ?? id, 'replace')
    } catch (error) {
      showError(error)
    } finally {
      setSaving(false)
    }
  }
  const remove = async (view: SavedView) => {
    const title = t('kit.view.removeTitle', { name: view.name })
    if (!(await confirm({ title, verb: t('kit.view.remove'), danger: true }))) return
    try {
      await calls.call(removeView, { id: view.id })
      await reload()
      if (list.state.view === view.id) list.openView(list.searchText(), undefined, 'replace')
    } catch (error) {
      showError(error)
    }
  }

  const offered = readyViews(resource, list.defaults)
  const ready = current === undefined ? offered.find((view) => isOpen(view, list.state.filters)) : undefined
  const own = current?.own === true ? current : undefined
  const changed = current !== undefined && !isSameView(resource, list.defaults, current.state, now())
  const items = [
    ...(own
      ? [
          { key: 'update', label: t('kit.view.update'), disabled: !changed },
          { key: 'edit', label: t('kit.view.edit') },
        ]
      : []),
    { key: 'save', label: t('kit.view.saveAs') },
    ...(current?.removable ? [{ key: 'remove', label: t('kit.view.remove'), danger: true }] : []),
  ]
  const choose = (key: string) => {
    if (key === 'save') return setDraft(blank)
    if (key === 'edit') return setDraft(own)
    if (key === 'update') return own && save(own)
    return current && remove(current)
  }
  const told = (view: SavedView) =>
    [view.isDefault && view.own && t('kit.view.isDefault'), view.shared && t('kit.view.isShared')]
      .filter(Boolean)
      .join(' · ')
  return (
    <nav className="view-tabs" aria-label={t('kit.view.open')}>
      <div className="view-names">
        <ViewTab
          list={list}
          search=""
          reader={reader}
          current={current === undefined && ready === undefined}
          onOpen={() => list.openView('', undefined)}
        >
          {t('kit.view.all')}
        </ViewTab>
        {offered.map((view) => (
          <ViewTab
            key={view.search}
            list={list}
            search={view.search}
            reader={reader}
            current={view === ready}
            whereSome
            onOpen={() => list.openView(view.search, undefined)}
          >
            {reader.value(view.name, view.value)}
          </ViewTab>
        ))}
        {views?.map((view) => (
          <Fragment key={view.id}>
            <ViewTab
              list={list}
              search={view.state.search}
              reader={reader}
              title={told(view)}
              current={view === current}
              onOpen={() => open(view)}
            >
              {view.name}
              {view === current && changed && <span className="quiet"> · {t('kit.view.changed')}</span>}
            </ViewTab>
            {view === current && (
              <MenuButton
                className="quiet-button view-menu"
                aria-label={t('kit.view.menu', { name: view.name })}
                content={{ items, choose }}
              >
                <DownOutlined />
              </MenuButton>
            )}
          </Fragment>
        ))}
      </div>
      <button
        {...ViewDialog.near}
        type="button"
        className="quiet-button"
        aria-label={t('kit.view.save')}
        title={t('kit.view.save')}
        onClick={() => setDraft(blank)}
      >
        <PlusOutlined />
      </button>
      {draft && (
        <ViewDialog
          draft={draft}
          saving={saving}
          reader={reader}
          onChange={setDraft}
          onClose={() => setDraft(undefined)}
          // Renaming keeps what the view holds; a new one takes what is on screen.
          onSave={() => save(draft, views?.find((view) => view.id === draft.id)?.state ?? now())}
        />
      )}
    </nav>
  )
}

/** A bare address opens the default view, an address with only `view=` that view; once, and without an entry for Back. */
const useOpening = (
  list: ResourceList,
  views: SavedView[] | undefined,
  open: (view: SavedView, how: 'replace') => void,
) => {
  const { search } = useLocation()
  const done = useRef(false)
  useEffect(() => {
    if (done.current || views === undefined) return
    done.current = true
    const wanted =
      search === ''
        ? views.find((view) => view.isDefault && view.own)
        : search === `?view=${list.state.view}`
          ? views.find((view) => view.id === list.state.view)
          : undefined
    if (wanted) open(wanted, 'replace')
  }, [views, search, list, open])
}
