import type { Resource, Row } from '@campanile/contract'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import type { OwnInputs } from '../form/FormDrawer.tsx'
import type { AnyRow, Reader } from '../reader.ts'

// A list is read far more often than a row is written: drawers come after the rows.
const loadForm = () => import('../form/FormDrawer.tsx')
const FormDrawer = lazy(async () => ({ default: (await loadForm()).FormDrawer }))
const DetailDrawer = lazy(async () => ({ default: (await import('../DetailDrawer.tsx')).DetailDrawer }))
const ImportWizard = lazy(async () => ({ default: (await import('../transfer/ImportWizard.tsx')).ImportWizard }))

/** What stands open over a list. */
export type OpenedState = { kind: 'create' | 'import' } | { kind: 'edit' | 'detail'; row: AnyRow }

interface Props {
  opened: OpenedState | undefined
  resource: Resource
  reader: Reader
  writes: boolean
  cells: Readonly<Record<string, ((row: AnyRow) => ReactNode) | undefined>> | undefined
  inputs: OwnInputs | undefined
  form: ((props: { row: Row<Resource> | undefined; onClose: () => void }) => ReactNode) | undefined
  detail: ((props: { row: Row<Resource>; onClose: () => void }) => ReactNode) | undefined
  onClose: () => void
  onImported: () => unknown
}

export function Opened(props: Props) {
  const { opened, resource, onClose, writes } = props
  useEffect(() => {
    if (writes) void loadForm()
  }, [writes])
  if (!opened) return null
  const row = 'row' in opened ? (opened.row as Row<Resource>) : undefined
  const content = () => {
    if (opened.kind === 'import')
      return <ImportWizard resource={resource} reader={props.reader} onClose={onClose} onImported={props.onImported} />
    if (opened.kind === 'detail' && row)
      return (
        props.detail?.({ row, onClose }) ?? (
          <DetailDrawer resource={resource} row={row} cells={props.cells} onClose={onClose} />
        )
      )
    return (
      props.form?.({ row, onClose }) ?? (
        <FormDrawer resource={resource} row={row} inputs={props.inputs} onClose={onClose} />
      )
    )
  }
  return <Suspense>{content()}</Suspense>
}
