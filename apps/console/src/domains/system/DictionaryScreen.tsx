import { dictionaryItem } from '@campanile/contract/system'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { ListScreen, useResourceList } from '../../kit/index.ts'
import { codeTablesKey, useCodeTables } from '../../kit/reader.ts'

/** Editable code tables. Codes the product knows itself may be renamed and switched off, not removed. */
export function DictionaryScreen() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const list = useResourceList(dictionaryItem)
  const codes = useCodeTables()
  const tables = useMemo(() => [...new Set(codes?.map(({ dictionary }) => dictionary))], [codes])
  // Every other screen reads its labels from the code tables: after each answer here, theirs are old.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time of the answer is the reason to run
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: codeTablesKey })
  }, [queries, list.updatedAt])
  return (
    <ListScreen
      resource={dictionaryItem}
      list={list}
      filterChoices={{ dictionary: tables.map((value) => ({ value, label: value })) }}
      removable={({ builtIn }) => !builtIn}
      unselectable={({ builtIn }) => (builtIn ? t('dictionaryItem.builtInKept') : undefined)}
    />
  )
}
