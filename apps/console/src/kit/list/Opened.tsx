import type { Resource } from '@campanile/contract/kit'
import type { ReactNode } from 'react'
import { type Later, later } from '../../shell/later.tsx'
import type { OwnInputs } from '../form/FormDrawer.tsx'
import type { KeptForm } from '../form/keptForm.ts'
import type { AnyRow, Reader } from '../reader.ts'

export const FormDrawer = later(async () => (await import('../form/FormDrawer.tsx')).FormDrawer)
export const DetailDrawer = later(async () => (await import('../DetailDrawer.tsx')).DetailDrawer)
export const ImportWizard = later(async () => (await import('../transfer/ImportWizard.tsx')).ImportWizard, ['transfer'])

/** What stands open over a list. */
export type OpenedState = { kind: 'create' | 'import' } | { kind: 'edit' | 'detail'; row: AnyRow }

/** The form that was half-filled when the page was loaded anew. */
export const openedBefore = (
  kept: KeptForm | undefined,
  mayCreate: boolean,
  mayUpdate: boolean,
): OpenedState | undefined => {
  if (kept?.about) return mayUpdate ? { kind: 'edit', row: kept.about } : undefined
  return kept && mayCreate ? { kind: 'create' } : undefined
}

interface Props {
  opened: OpenedState | undefined
  resource: Resource
  reader: Reader
  cells: Readonly<Record<string, ((row: AnyRow) => ReactNode) | undefined>> | undefined
  inputs: OwnInputs | undefined
  form: Later<{ row: AnyRow | undefined; onClose: () => void }> | undefined
  detail: Later<{ row: AnyRow; onClose: () => void }> | undefined
  onClose: () => void
  onImported: () => unknown
}

export function Opened({ opened, resource, reader, cells, inputs, onImported, onClose, ...own }: Props) {
  if (!opened) return null
  const { form: Form, detail: Detail } = own
  const row = 'row' in opened ? opened.row : undefined
  if (opened.kind === 'import')
    return <ImportWizard resource={resource} reader={reader} onClose={onClose} onImported={onImported} />
  if (opened.kind === 'detail' && row) {
    if (Detail) return <Detail row={row} onClose={onClose} />
    return <DetailDrawer resource={resource} row={row} cells={cells} onClose={onClose} />
  }
  if (Form) return <Form row={row} onClose={onClose} />
  return <FormDrawer resource={resource} row={row} inputs={inputs} onClose={onClose} />
}
