import { useContext, useMemo } from 'react'
import { UNSAFE_DataRouterContext } from 'react-router'

/** Where somebody is by now: pages follow their address when there is time, and may show one that has been left already. */
export const useHere = () => {
  const data = useContext(UNSAFE_DataRouterContext)
  return useMemo(
    () => ({
      /** `key` is that of a location; outside of the console's routes there is only one. */
      isAt: (key: string) => data === null || data.router.state.location.key === key,
      key: () => data?.router.state.location.key ?? '',
      isLeaving: () => data !== null && data.router.state.navigation.state !== 'idle',
    }),
    [data],
  )
}
