import type { DepartmentNode } from '@campanile/contract/organisation'
import { queryClient } from './queryClient.ts'
import { currentSession } from './session/session.ts'

/** The name of a department this window has been told of: in a tree, a picker, or as one's own. */
export function knownDepartment(id: number): string | undefined {
  const user = currentSession()?.user
  const own = [user, user?.operating].find((each) => each?.departmentId === id)?.departmentName
  const told = queryClient.getQueriesData<readonly DepartmentNode[]>({ queryKey: ['departments'] })
  return own ?? told.flatMap(([, nodes]) => nodes ?? []).find((node) => node.id === id)?.name
}
