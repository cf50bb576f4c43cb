import { useSyncExternalStore } from 'react'

const query = () => window.matchMedia('(width < 860px)')

const subscribe = (changed: () => void) => {
  const media = query()
  media.addEventListener('change', changed)
  return () => media.removeEventListener('change', changed)
}

/** Too narrow for a menu beside the page: it comes as a drawer. The stylesheet draws the same line. */
export const useSmall = (): boolean => useSyncExternalStore(subscribe, () => query().matches)
