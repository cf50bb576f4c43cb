import type { Resource } from '@campanile/contract/kit'
import { useDepartmentLabels } from '../inputs/departmentNodes.ts'
import { useRefNames } from '../inputs/useRefNames.ts'

/** Organisations that are filtered by. */
export function DepartmentNames({ ids, comma }: { ids: number[]; comma: string }) {
  return useDepartmentLabels(ids).join(comma)
}

interface RefNamesProps {
  resource: Resource
  name: string
  ids: number[]
  comma: string
}

/** Rows of another list that are filtered by. */
export function RefNames({ resource, name, ids, comma }: RefNamesProps) {
  const names = useRefNames(resource, name, ids)
  return ids.map((id) => names.get(id) ?? `#${id}`).join(comma)
}
