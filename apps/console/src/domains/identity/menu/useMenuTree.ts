import { menuTree } from '@campanile/contract/identity'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { calls } from '../../../kit/calls.ts'
import { showError } from '../../../shell/feedback.ts'
import { loadNavigation } from '../../../shell/navigation/navigation.ts'

const queryKey = ['menu', 'tree'] as const

export function useMenuTree() {
  const queries = useQueryClient()
  const tree = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await calls.call(menuTree, {}, { signal })).rows,
  })
  /** The tree on this page and the running navigation beside it are the same thing: both are read anew. */
  const changed = async () => {
    await queries.invalidateQueries({ queryKey })
    // What may be granted has changed with it.
    void queries.invalidateQueries({ queryKey: ['role', 'grantableMenus'] })
    await loadNavigation().catch(showError)
  }
  return { ...tree, changed }
}
