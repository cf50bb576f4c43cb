import { useContext } from 'react'
import { type To, UNSAFE_DataRouterContext, useNavigate } from 'react-router'

/**
 * Goes to another address of the same page and draws it in one go. The router draws in slices between frames, which suits a
 * page that is new; where somebody waits for a filter, the same work takes several times as long that way. Inside the routes
 * of a tab `useNavigate` drops the option.
 */
export const useNavigateAtOnce = () => {
  const navigate = useNavigate()
  const data = useContext(UNSAFE_DataRouterContext)
  return async (to: To, options: { replace: boolean; preventScrollReset: boolean }) => {
    // After what is being drawn: a list corrects its address while its effects run, and nothing can be drawn in there.
    await null
    await (data ? data.router.navigate(to, { ...options, flushSync: true }) : navigate(to, options))
  }
}
