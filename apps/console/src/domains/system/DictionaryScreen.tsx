import { dictionaryItem } from '@campanile/contract'
import { useMemo } from 'react'
import { ListScreen, useResourceList } from '../../kit/index.ts'
import { useCodeTables } from '../../kit/reader.ts'

/** Editable code tables. Codes the product knows itself may be renamed, not removed. */
export default function DictionaryScreen() {
  const list = useResourceList(dictionaryItem)
  const codes = useCodeTables()
  const tables = useMemo(() => [...new Set(codes?.map(({ dictionary }) => dictionary))], [codes])
  return (
    <ListScreen
      resource={dictionaryItem}
      list={list}
      filterChoices={{ dictionary: tables.map((value) => ({ value, label: value })) }}
      removable={({ builtIn }) => !builtIn}
    />
  )
}
