import type { DepartmentNode } from '@campanile/contract/organisation'
import type { QueryClient } from '@tanstack/react-query'
import { departmentKey, useDepartmentNodes } from '../../kit/inputs/departmentNodes.ts'

/** Everything read of the tree, by the pickers too: gone as soon as anything in it changes. */
export const forgetTree = (queries: QueryClient) => queries.invalidateQueries({ queryKey: departmentKey })

/** One organisation as the tree knows it. */
export const useOrganisationNode = (id: number | null): DepartmentNode | undefined =>
  useDepartmentNodes({ ids: [id ?? 0] }, id !== null).data?.[0]
