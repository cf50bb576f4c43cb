import type { InputOf } from '@campanile/contract/kit'
import { type DepartmentNode, departments } from '@campanile/contract/organisation'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { calls } from '../calls.ts'

type TreeQuestion = InputOf<typeof departments>

/**
 * One question to the department tree; asked again after a minute, or when whoever changed the tree forgets it. `origin`:
 * asked as oneself, for what may lie outside the organisation that is entered.
 */
export const departmentQuery = (input: TreeQuestion, origin = false) => ({
  queryKey: [...departmentKey, input, origin],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<DepartmentNode[]> =>
    (await calls.call(departments, input, { signal, origin })).rows,
  staleTime: 60_000,
})
export const departmentKey = ['departments'] as const

export const useDepartmentNodes = (input: TreeQuestion, enabled = true, origin = false) =>
  useQuery({ ...departmentQuery(input, origin), enabled })

export const pathText = (node: DepartmentNode) => node.path.map((step) => step.name).join(' / ')

/** Names of departments known only by id, as an address carries them. */
export const useDepartmentNames = (ids: readonly number[], origin = false): ReadonlyMap<number, string> => {
  const { data } = useDepartmentNodes({ ids: [...ids] }, ids.length > 0, origin)
  return new Map(data?.map((node) => [node.id, node.name]))
}

/** What each of them is called where it was chosen. Of one that is out of reach not even the name is told, nor is its number. */
export const useDepartmentLabels = (ids: readonly number[], origin = false): string[] => {
  const { t } = useTranslation()
  const { isPending } = useDepartmentNodes({ ids: [...ids] }, ids.length > 0, origin)
  const names = useDepartmentNames(ids, origin)
  return ids.map((id) => names.get(id) ?? (isPending ? '…' : t('kit.value.outOfReach')))
}
