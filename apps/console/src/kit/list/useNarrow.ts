import { useSyncExternalStore } from 'react'

const query = () => window.matchMedia('(width < 640px)')

const subscribe = (changed: () => void) => {
  const media = query()
  media.addEventListener('change', changed)
  return () => media.removeEventListener('change', changed)
}

/** Too narrow for a table: rows become cards. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => query().matches)
