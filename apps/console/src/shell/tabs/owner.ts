import { currentSession } from '../session/session.ts'

/** Tabs and what was typed in them belong to one person operating on one organisation; anyone else starts with Home alone. */
export function owner(): string {
  const user = currentSession()?.user
  return `${user?.uid}/${user?.operating?.departmentId ?? user?.departmentId}`
}
