import type { Resource } from '@campanile/contract/kit'
import { Drawer } from 'antd'
import type { ReactNode } from 'react'
import { RowFacts } from './RowFacts.tsx'
import { type AnyRow, useReader } from './reader.ts'
import './kit.css'

interface Props {
  resource: Resource
  row: AnyRow
  cells?: Readonly<Record<string, ((row: AnyRow) => ReactNode) | undefined>> | undefined
  onClose: () => void
  children?: ReactNode
}

/** Everything a row says, as plain facts; for rows nobody edits. */
export function DetailDrawer({ resource, row, cells, onClose, children }: Props) {
  const reader = useReader(resource)
  return (
    <Drawer open size={480} title={reader.identity(row)} onClose={onClose}>
      <RowFacts row={row} cells={cells} reader={reader} />
      {children}
    </Drawer>
  )
}
