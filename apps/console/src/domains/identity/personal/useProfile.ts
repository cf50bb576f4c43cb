import { type Profile, profile } from '@campanile/contract/identity'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { calls } from '../../../kit/calls.ts'
import { currentSession, openSession } from '../../../shell/session/session.ts'

const queryKey = ['profile'] as const

export const useProfile = () => useQuery({ queryKey, queryFn: ({ signal }) => calls.call(profile, {}, { signal }) })

/** What changed about oneself shows in the header at once, not only after the next sign-in. */
export function useRefreshProfile(): (changed?: Profile) => Promise<void> {
  const queries = useQueryClient()
  return async (changed) => {
    if (changed !== undefined) queries.setQueryData(queryKey, changed)
    else await queries.invalidateQueries({ queryKey })
    const now = queries.getQueryData<Profile>(queryKey)
    const session = currentSession()
    if (now === undefined || session === undefined) return
    const { realName, mobile, photo, enable2fa } = now
    openSession({ ...session, user: { ...session.user, realName, mobile, photo, enable2fa } })
  }
}
