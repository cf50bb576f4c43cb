import { useSyncExternalStore } from 'react'

const subscribe = (changed: () => void) => {
  document.addEventListener('fullscreenchange', changed)
  return () => document.removeEventListener('fullscreenchange', changed)
}

export const useIsFullScreen = (): boolean => useSyncExternalStore(subscribe, () => document.fullscreenElement !== null)

export function toggleFullScreen(): void {
  if (document.fullscreenElement === null) void document.documentElement.requestFullscreen()
  else void document.exitFullscreen()
}
