import { useNavigation } from 'react-router'

/** Runs while the next page is on its way. */
export function ProgressBar() {
  const busy = useNavigation().state !== 'idle'
  return <div className="progress" data-busy={busy} aria-hidden="true" />
}
