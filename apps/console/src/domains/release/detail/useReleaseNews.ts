import { releaseLive } from '@campanile/contract/release'
import { useEffect, useEffectEvent } from 'react'
import { sayLive, useLive } from '../../../shell/live.ts'

/** Calls whenever something of this release has changed; the server tells it once a second at most. */
export const useReleaseNews = (id: number, onNews: () => unknown) => {
  const tell = useEffectEvent(onNews)
  useEffect(() => {
    sayLive({ type: releaseLive.watch, id })
    return () => sayLive({ type: releaseLive.watch, id: null })
  }, [id])
  useLive('connected', () => sayLive({ type: releaseLive.watch, id }))
  useLive(releaseLive.told, (told) => {
    if (told.id === id) tell()
  })
}
