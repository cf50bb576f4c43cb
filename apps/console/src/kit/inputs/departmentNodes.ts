import { type DepartmentNode, departments } from '@campanile/contract'
import { useQuery } from '@tanstack/react-query'
import { calls } from '../calls.ts'

const staleTime = 60_000

export const useDepartmentNodes = (input: { keyword?: string; ids?: number[] }, enabled = true) =>
  useQuery({
    queryKey: ['departments', input],
    queryFn: async ({ signal }) => (await calls.call(departments, input, { signal })).rows,
    staleTime,
    enabled,
  })

export const pathText = (node: DepartmentNode) => node.path.map((step) => step.name).join(' / ')

/** Names of departments known only by id, as an address carries them. */
export const useDepartmentNames = (ids: readonly number[]): ReadonlyMap<number, string> => {
  const { data } = useDepartmentNodes({ ids: [...ids] }, ids.length > 0)
  return new Map(data?.map((node) => [node.id, node.name]))
}
