import type { Row } from '@campanile/contract/kit'
import { faultKeys, type releaseStep } from '@campanile/contract/release'
import type { Reader } from '../../../kit/index.ts'

export type StepRow = Row<typeof releaseStep>

const bad: readonly string[] = ['failed', 'pausedByItself', 'stopped', 'rolledBack']
const good: readonly string[] = ['succeeded', 'ended', 'waveEnded']
const waits: readonly string[] = ['retryPlanned', 'paused', 'baking']

/** A shape for what happened, never the colour alone. */
export const markOf = (what: string): { readonly tone: string; readonly shape: string } => {
  if (bad.includes(what)) return { tone: 'bad', shape: '■' }
  if (good.includes(what)) return { tone: 'good', shape: '✓' }
  return waits.includes(what) ? { tone: 'warning', shape: '◆' } : { tone: 'accent', shape: '▶' }
}

/** What happened in words: what, in which wave, and why. */
export const stepText = ({ what, wave, reason, detail, sn }: StepRow, reader: Reader): string => {
  const why =
    reason === null || (reason === 'unknown' && detail !== null)
      ? undefined
      : ([...faultKeys(reason), `release.option.stateReason.${reason}`].map((key) => reader.maybe(key)).find(Boolean) ??
        reason)
  // A reason that has words says more than that it failed.
  const head = why !== undefined && what === 'failed' ? why : reader.option('what', what)
  return [
    sn === null && wave !== null ? `${head} · ${reader.t('releaseDetail.waveName', { wave })}` : head,
    ...(why !== undefined && what !== 'failed' ? [why] : []),
    ...(detail === null ? [] : [detail]),
  ].join(' · ')
}
