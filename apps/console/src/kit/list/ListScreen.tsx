import type { Resource, Row } from '@campanile/contract/kit'
import { Button } from 'antd'
import { type ReactNode, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Later } from '../../shell/later.tsx'
import { Page } from '../../shell/Page.tsx'
import { useCommand } from '../../shell/palette/commands.ts'
import type { OwnInputs } from '../form/FormDrawer.tsx'
import { type AnyRow, useReader } from '../reader.ts'
import { usePermitted } from '../useAction.ts'
import { useConfirm } from '../useConfirm.tsx'
import { FilterBar, type FilterChoices } from './FilterBar.tsx'
import { ListActions } from './ListActions.tsx'
import { ListCards } from './ListCards.tsx'
import { ListState, StaleNotice } from './ListStates.tsx'
import { ListTable } from './ListTable.tsx'
import { DetailDrawer, FormDrawer, ImportWizard, Opened, type OpenedState } from './Opened.tsx'
import { Pager } from './Pager.tsx'
import { SavedViews } from './SavedViews.tsx'
import { type BulkAction, type Chosen, SelectionBar } from './SelectionBar.tsx'
import { useColumns } from './useColumns.ts'
import { useNarrow } from './useNarrow.ts'
import { useRemove } from './useRemove.ts'
import type { ResourceList } from './useResourceList.ts'
import { type RowAction, useRowMenu } from './useRowMenu.tsx'
import '../kit.css'

export interface RowButton<T> {
  /** Text key; the button's words. */
  label: string
  /** Not permitted or not possible for this row: not there. */
  shown?: (row: T) => boolean
  /** Not now: there, with the reason. */
  blocked?: (row: T) => string | undefined
  confirm?: boolean
  danger?: boolean
  /** Text key of the entry it stands behind, where a row can do much. */
  under?: string
  run: (row: T) => unknown
}
export interface BulkButton {
  label: string
  shown?: boolean
  confirm?: boolean
  danger?: boolean
  run: (chosen: Chosen) => unknown
}

/** `T` is a row as the screen knows it; inside, it is only what the declaration says. */
interface Props<R extends Resource, T extends AnyRow = Row<R>> {
  resource: R
  list: ResourceList<R>
  /** A closed list of places for what is peculiar to a screen; see docs/patterns-console.md. */
  above?: ReactNode
  beside?: ReactNode
  toolbar?: ReactNode
  /** The one primary button where rows come to be by something else than the declared form. `label` is a text key. */
  primary?: { label: string; run: () => void } | undefined
  cells?: { [K in keyof R['fields']]?: (row: T) => ReactNode }
  inputs?: { [K in keyof R['fields']]?: OwnInputs[string] }
  /** Text fields whose values are known: filtered by choosing. */
  filterChoices?: { [K in keyof R['fields']]?: FilterChoices[string] }
  rowButtons?: readonly RowButton<T>[]
  bulkButtons?: readonly BulkButton[]
  /** Where the identity leads when the row has a page of its own. */
  identityTo?: (row: T) => string
  /** Replaces the drawer made from the declaration. */
  form?: Later<{ row: T | undefined; onClose: () => void }>
  detail?: Later<{ row: T; onClose: () => void }>
  editable?: (row: T) => boolean
  /** False: nobody deletes here, neither one nor many. */
  removable?: false | ((row: T) => boolean)
  /** Why a row takes no part in bulk actions; its tick says so. */
  unselectable?: (row: T) => string | undefined
}

/** A declaration as a screen: filters, table, selection, forms, export and import. Slots hold only what is peculiar. */
export function ListScreen<R extends Resource>(props: Props<R>) {
  const { resource } = props
  const slots = props as unknown as Props<Resource, AnyRow>
  const list = slots.list
  const reader = useReader(resource)
  const columns = useColumns(resource)
  const narrow = useNarrow()
  const confirm = useConfirm()
  const navigate = useNavigate()
  const [opened, setOpened] = useState<OpenedState>()

  const hasForm = Object.keys(resource.form).length > 0 || slots.form !== undefined
  const mayCreate = usePermitted(resource.perms.create) && hasForm
  const mayUpdate = usePermitted(resource.perms.update) && hasForm
  const mayExport = usePermitted(resource.perms.export)
  const form = slots.form ?? FormDrawer
  const remove = useRemove(resource, list, reader)
  const mayEdit = (row: AnyRow) => mayUpdate && slots.editable?.(row) !== false
  const { removable } = slots
  const mayRemoveMany = remove.permitted && removable !== false
  const mayRemove = (row: AnyRow) => mayRemoveMany && removable?.(row) !== false

  const asked = (button: { confirm?: boolean; danger?: boolean }, title: string, verb: string) =>
    button.confirm === true ? confirm({ title, verb, danger: button.danger === true }) : true

  const view = (row: AnyRow) =>
    slots.identityTo ? navigate(slots.identityTo(row as Row<Resource>)) : setOpened({ kind: 'detail', row })
  const actionsOf = (row: AnyRow): RowAction[] => [
    ...(slots.identityTo || !mayEdit(row)
      ? [{ key: 'view', label: reader.t('kit.list.view'), run: () => view(row) }]
      : []),
    ...(mayEdit(row)
      ? [{ key: 'edit', label: reader.t('kit.list.edit'), run: () => setOpened({ kind: 'edit', row }) }]
      : []),
    ...(slots.rowButtons ?? [])
      .filter((button) => button.shown?.(row) !== false)
      .map((button) => {
        const label = reader.t(button.label)
        const name = reader.identity(row)
        const run = async () => {
          if (await asked(button, reader.t('kit.confirmNamed', { action: label, name }), label)) await button.run(row)
        }
        return {
          key: button.label,
          label,
          danger: button.danger === true,
          under: button.under === undefined ? undefined : reader.t(button.under),
          blocked: button.blocked?.(row),
          run,
        }
      }),
    ...(mayRemove(row)
      ? [{ key: 'remove', label: reader.t('kit.list.remove'), danger: true, run: () => remove.one(row) }]
      : []),
  ]
  const [menu, openMenu] = useRowMenu(actionsOf)

  const bulk: BulkAction[] = [
    ...(slots.bulkButtons ?? [])
      .filter((button) => button.shown !== false)
      .map((button) => {
        const label = reader.t(button.label)
        const run = async (chosen: Chosen) => {
          const title = reader.t('kit.confirmMany', {
            action: label,
            count: chosen.count,
            shown: reader.number(chosen.count),
          })
          if (await asked(button, title, label)) await button.run(chosen)
        }
        return { label, run }
      }),
    ...(mayRemoveMany ? [{ label: reader.t('kit.list.remove'), run: remove.many }] : []),
  ]
  const ticks = bulk.length > 0 || mayExport

  // One object for all rows: it changes when the screen's own slots do, not when a row is ticked.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the functions below only read what is listed
  const parts = useMemo(
    () => ({
      resource: resource as Resource,
      reader,
      selection: list.selection,
      ticks,
      cells: slots.cells,
      identityTo: slots.identityTo,
      unselectable: slots.unselectable,
      onOpen: (row: AnyRow) => setOpened({ kind: mayEdit(row) ? 'edit' : 'detail', row }),
      onMenu: openMenu,
      near: mayUpdate ? form.near : (slots.detail ?? DetailDrawer).near,
    }),
    [
      resource,
      reader,
      list.selection,
      ticks,
      slots.cells,
      slots.identityTo,
      slots.editable,
      slots.unselectable,
      mayUpdate,
    ],
  )
  const primary = slots.primary
    ? { title: reader.t(slots.primary.label), run: slots.primary.run }
    : mayCreate
      ? { title: reader.action('create'), run: () => setOpened({ kind: 'create' }) }
      : undefined
  useCommand(primary && { id: `add ${resource.name}`, ...primary })
  const nothingToShow = !list.loading && list.rows.length === 0
  const add = primary && (
    <Button {...(slots.primary ? {} : form.near)} type="primary" onClick={primary.run}>
      {primary.title}
    </Button>
  )
  return (
    <div className="list-screen" data-density={columns.settings.density}>
      <Page
        title={reader.title}
        sub={list.known ? reader.count(list.total) : undefined}
        actions={
          <ListActions
            list={list}
            columns={columns}
            reader={reader}
            narrow={narrow}
            onImport={() => setOpened({ kind: 'import' })}
            nearImport={ImportWizard.near}
            toolbar={slots.toolbar}
            add={add}
          />
        }
      >
        {slots.above}
        <SelectionBar list={list} reader={reader} actions={bulk} />
        <FilterBar list={list} reader={reader} choices={slots.filterChoices}>
          <SavedViews list={list} columns={columns} reader={reader} />
        </FilterBar>
        {list.stale && <StaleNotice list={list} reader={reader} />}
        <div className="list-body">
          {slots.beside}
          <div className="list-frame">
            {narrow ? (
              <ListCards list={list} columns={columns.visible} parts={parts} />
            ) : (
              <ListTable list={list} columns={columns.visible} pinned={columns.settings.pinned} parts={parts} />
            )}
            {nothingToShow && <ListState list={list} reader={reader} add={add} />}
          </div>
        </div>
        {list.total > 0 && (
          <Pager
            page={list.state.page}
            pageSize={list.state.pageSize}
            total={list.total}
            onPage={list.setPage}
            onPageSize={list.setPageSize}
            narrow={narrow}
          />
        )}
      </Page>
      {menu}
      <Opened
        opened={opened}
        resource={resource}
        reader={reader}
        cells={parts.cells}
        inputs={slots.inputs}
        form={slots.form}
        detail={slots.detail}
        onClose={() => setOpened(undefined)}
        onImported={list.reload}
      />
    </div>
  )
}
