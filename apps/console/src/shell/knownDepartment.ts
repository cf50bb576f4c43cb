import type { DepartmentNode } from '@campanile/contract/organisation'
import { currentSession } from './session/session.ts'

let told: () => readonly DepartmentNode[] = () => []

/** Says where this window keeps what it has been told. Called from there, so that signing in does not fetch that code. */
export const keepDepartmentsIn = (read: () => readonly DepartmentNode[]): void => {
  told = read
}

/** The name of a department this window has been told of: in a tree, a picker, or as one's own. */
export function knownDepartment(id: number): string | undefined {
  const user = currentSession()?.user
  const own = [user, user?.operating].find((each) => each?.departmentId === id)?.departmentName
  return own ?? told().find((node) => node.id === id)?.name
}
