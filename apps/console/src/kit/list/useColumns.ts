import type { Resource } from '@campanile/contract/kit'
import { useMemo, useState } from 'react'
import { useSession } from '../../shell/session/session.ts'
import { readStored, writeStored } from '../../shell/storage.ts'
import { type ColumnSettings, defaultColumns, settleColumns, visibleColumns } from './columns.ts'

/** One person's columns of one list, kept in the browser. */
export const useColumns = (resource: Resource) => {
  const uid = useSession(({ session }) => session?.user.uid)
  const name = `columns.${uid}.${resource.name}`
  const [settings, setSettings] = useState(() => settleColumns(resource, readStored('local', name)))
  const visible = useMemo(() => visibleColumns(settings, resource.identity), [settings, resource])

  const keep = (next: ColumnSettings | undefined) => {
    writeStored('local', name, next)
    setSettings(next ?? defaultColumns(resource))
  }
  return { settings, visible, change: keep, reset: () => keep(undefined) }
}
export type Columns = ReturnType<typeof useColumns>
