import { type DepartmentNode, departments } from '@campanile/contract'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { calls } from '../../kit/index.ts'

/** Everything read of the tree, by the pickers too: gone as soon as anything in it changes. */
export const forgetTree = (queries: QueryClient) => queries.invalidateQueries({ queryKey: ['departments'] })

type TreeQuestion = { parentId?: number; keyword?: string; ids?: number[] }

/** One question to the tree; asked again after a minute, or when something in it changes. */
export const treeQuery = (question: TreeQuestion) => ({
  queryKey: ['departments', 'tree', question],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<DepartmentNode[]> =>
    (await calls.call(departments, question, { signal })).rows,
  staleTime: 60_000,
})

/** One organisation as the tree knows it. */
export const useOrganisationNode = (id: number | null): DepartmentNode | undefined =>
  useQuery({ ...treeQuery({ ids: [id ?? 0] }), enabled: id !== null }).data?.[0]
