import type { Resource } from '@campanile/contract/kit'
import { useQueryClient } from '@tanstack/react-query'
import { listKey } from '../../kit/list/useResourceList.ts'

/** The server needs this long before a new or a changed role or account shows in its lists (behaviour: console.settling). */
const settlesMs = { created: 800, changed: 100 }

/** Reads the list once more when a slow server has settled. Nobody need wait for it. */
export const useSettle = (resource: Resource) => {
  const queries = useQueryClient()
  return (what: keyof typeof settlesMs): void => {
    setTimeout(() => void queries.invalidateQueries({ queryKey: listKey(resource) }), settlesMs[what])
  }
}
