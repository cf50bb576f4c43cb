import type { AnswerOf } from '@campanile/contract/kit'
import type { DepartmentNode, departments } from '@campanile/contract/organisation'
import { api } from '../api.ts'
import { currentSession } from '../session/session.ts'
import { readStored, writeStored } from '../storage.ts'

/** What the switcher shows of an organisation. */
export type Organisation = Pick<DepartmentNode, 'id' | 'name' | 'type' | 'parentId' | 'path' | 'childCount'>

/** Always asked as oneself: what may be chosen does not shrink with what is being operated on. */
const ask = async (query: { parentId?: number; keyword?: string }): Promise<Organisation[]> =>
  (await api.call<AnswerOf<typeof departments>>('GET', '/api/v1/oauth/depts', { query, origin: true })).rows

export const childrenOf = (parentId: number | undefined): Promise<Organisation[]> =>
  ask(parentId === undefined ? {} : { parentId })

export const findOrganisations = (keyword: string): Promise<Organisation[]> => ask({ keyword })

const mostRecent = 5

const recentName = () => `recentOrganisations.${currentSession()?.user.uid}`

export function recentOrganisations(): Organisation[] {
  const stored = readStored('local', recentName())
  return Array.isArray(stored) ? stored : []
}

export function rememberOrganisation(organisation: Organisation): void {
  const others = recentOrganisations().filter((each) => each.id !== organisation.id)
  writeStored('local', recentName(), [organisation, ...others].slice(0, mostRecent))
}
