import type { Resource, Row } from '@campanile/contract/kit'
import { Button } from 'antd'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Later } from '../../shell/later.tsx'
import { Page } from '../../shell/Page.tsx'
import { useCommand } from '../../shell/palette/commands.ts'
import { useKeptInput } from '../../shell/tabs/index.ts'
import type { OwnInputs } from '../form/FormDrawer.tsx'
import type { KeptForm } from '../form/keptForm.ts'
import { type AnyRow, useReader } from '../reader.ts'
import { useExport } from '../transfer/useExport.ts'
import { usePermitted } from '../useAction.ts'
import { useConfirm } from '../useConfirm.tsx'
import { useAhead } from './ahead.ts'
import { FilterBar, type FilterChoices } from './FilterBar.tsx'
import { ListActions } from './ListActions.tsx'
import { ListCards } from './ListCards.tsx'
import { ListControls } from './ListControls.tsx'
import { ListFoot, useMeasuredRoom } from './ListFoot.tsx'
import { ListState, StaleNotice } from './ListStates.tsx'
import { ListTable } from './ListTable.tsx'
import { DetailDrawer, FormDrawer, Opened, type OpenedState, openedBefore } from './Opened.tsx'
import type { RowParts } from './RowParts.tsx'
import { SavedViews } from './SavedViews.tsx'
import type { BulkAction, Chosen } from './SelectionBar.tsx'
import { useColumns } from './useColumns.ts'
import { useNarrow } from './useNarrow.ts'
import { useRemove } from './useRemove.ts'
import { type ResourceList, useListRows } from './useResourceList.ts'
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
export interface ListButton {
  /** Text key. */
  label: string
  shown?: boolean
  run: () => unknown
}

/** `T` is a row as the screen knows it; inside, it is only what the declaration says. */
interface Props<R extends Resource, T extends AnyRow = Row<R>> {
  resource: R
  list: ResourceList<R>
  /** A closed list of places for what is peculiar to a screen; see docs/patterns-console.md. */
  above?: ReactNode
  beside?: ReactNode
  /** Figures beside the total. */
  sub?: ReactNode
  /** What must be in sight in the title line: a state, one button. */
  toolbar?: ReactNode
  /** What is done with the list as a whole, in the menu at the end of the title line. */
  more?: readonly ListButton[]
  /** The one primary button where rows come to be by something else than the declared form. `label` is a text key. */
  primary?: { label: string; run: () => void } | undefined
  cells?: { [K in keyof R['fields']]?: (row: T) => ReactNode }
  inputs?: { [K in keyof R['fields']]?: OwnInputs[string] }
  /** Text fields whose values are known: filtered by choosing. */
  filterChoices?: { [K in keyof R['fields']]?: FilterChoices[string] }
  rowButtons?: readonly RowButton<T>[]
  bulkButtons?: readonly BulkButton[]
  /** Where the identity leads when the row has a page of its own. False: this person may not open it. */
  identityTo?: ((row: T) => string) | false
  /** Replaces the drawer made from the declaration. */
  form?: Later<{ row: T | undefined; onClose: () => void }>
  detail?: Later<{ row: T; onClose: () => void }>
  editable?: (row: T) => boolean
  /** False: nobody deletes here, neither one nor many. */
  removable?: false | ((row: T) => boolean)
  /** Why a row takes no part in bulk actions; its tick says so. */
  unselectable?: (row: T) => string | undefined
}

interface RowsProps {
  list: ResourceList
  columns: readonly string[]
  pinned: readonly string[]
  parts: RowParts
  narrow: boolean
}
/** What follows the values of rows, and nothing else of the screen does. */
function Rows({ narrow, pinned, ...rest }: RowsProps) {
  const rows = useListRows(rest.list)
  const late = useAhead(rest.list.ahead, 'late') === true
  const drawn = { rows, busy: late || rest.list.refreshing, ...rest }
  return narrow ? <ListCards {...drawn} /> : <ListTable pinned={pinned} {...drawn} />
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

  const hasForm = Object.keys(resource.form).length > 0 || slots.form !== undefined
  const mayCreate = usePermitted(resource.perms.create) && hasForm
  const mayUpdate = usePermitted(resource.perms.update) && hasForm
  const mayExport = usePermitted(resource.perms.export)
  const kept = useKeptInput<KeptForm>(resource.name)
  const [opened, setOpened] = useState<OpenedState | undefined>(() => openedBefore(kept, mayCreate, mayUpdate))
  const form = slots.form ?? FormDrawer
  const mayImport = usePermitted(resource.perms.import)
  const exporting = useExport(list, columns.visible)
  const remove = useRemove(resource, list, reader)
  const body = useRef<HTMLDivElement>(null)
  useMeasuredRoom(list, body, narrow)
  const mayEdit = (row: AnyRow) => mayUpdate && slots.editable?.(row) !== false
  const { removable } = slots
  const mayRemoveMany = remove.permitted && removable !== false
  const mayRemove = (row: AnyRow) => mayRemoveMany && removable?.(row) !== false

  const asked = (button: { confirm?: boolean; danger?: boolean }, title: string, verb: string) =>
    button.confirm === true ? confirm({ title, verb, danger: button.danger === true }) : true

  const view = (row: AnyRow) =>
    slots.identityTo ? navigate(slots.identityTo(row as Row<Resource>)) : setOpened({ kind: 'detail', row })
  const actionsOf = (row: AnyRow): RowAction[] => [
    ...(slots.identityTo || (slots.identityTo !== false && !mayEdit(row))
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
    ...(mayExport ? [{ label: reader.t('kit.list.export'), run: exporting.run }] : []),
    ...(mayRemoveMany ? [{ label: reader.t('kit.list.remove'), run: remove.many }] : []),
  ]
  const ticks = bulk.length > 0

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
      hasMenu: slots.identityTo === false ? (row: AnyRow) => actionsOf(row).length > 0 : undefined,
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
        sub={
          list.known ? (
            <>
              {reader.count(list.total)}
              {slots.sub}
            </>
          ) : undefined
        }
        actions={
          <ListActions
            list={list}
            columns={columns}
            reader={reader}
            narrow={narrow}
            onImport={mayImport ? () => setOpened({ kind: 'import' }) : undefined}
            onExport={mayExport ? exporting.run : undefined}
            toolbar={slots.toolbar}
            more={(slots.more ?? [])
              .filter(({ shown }) => shown !== false)
              .map(({ label, run }) => ({ label: reader.t(label), run }))}
            add={add}
          />
        }
      >
        <SavedViews list={list} columns={columns} reader={reader} />
        {slots.above}
        <ListControls list={list} reader={reader} actions={bulk}>
          <FilterBar list={list} reader={reader} choices={slots.filterChoices} />
        </ListControls>
        {list.stale && <StaleNotice list={list} reader={reader} />}
        <div className="list-body" ref={body}>
          {slots.beside}
          <div className="list-card">
            <div className="list-frame">
              <Rows
                list={list}
                columns={columns.visible}
                pinned={columns.settings.pinned}
                parts={parts}
                narrow={narrow}
              />
              {nothingToShow && <ListState list={list} reader={reader} add={add} />}
            </div>
            {list.total > 0 && (
              <ListFoot list={list} reader={reader} narrow={narrow} ticks={ticks} opens={slots.identityTo !== false} />
            )}
          </div>
        </div>
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
