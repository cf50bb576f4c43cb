import type { Row } from '@campanile/contract/kit'
import { release, releaseDetail } from '@campanile/contract/release'
import { useMemo } from 'react'
import { ListScreen, SoftTag, usePermitted, useReader, useResourceList } from '../../../kit/index.ts'
import { useDeclaredActions } from '../../../kit/list/useDeclaredActions.tsx'
import { askList } from '../../../kit/list/useResourceList.ts'
import { toneOfProgress, toneOfRelease } from '../detail/story.ts'

type ReleaseRow = Row<typeof release>

const detailOf = ({ id }: { id: number }) => `/release/detail/${id}`
/** Devices are chosen on the page of a release. */
const ofDevices = ['release.action.retryDevices', 'release.action.cancelDevices']
const isUnderWay = ({ state }: ReleaseRow) => state !== 'ended'
const watchMs = 5_000

export const ask = (search: string) => askList(release, search)

/** Everything that was brought to devices, of whatever kind. */
export default function ReleasesScreen() {
  const list = useResourceList(release, { refreshEvery: (rows) => (rows.some(isUnderWay) ? watchMs : false) })
  const reader = useReader(release)
  const actions = useDeclaredActions(release, list)
  const mayOpen = usePermitted(releaseDetail.perm)
  const cells = useMemo(
    () => ({
      state: ({ state }: ReleaseRow) => <SoftTag tone={toneOfRelease[state]}>{reader.option('state', state)}</SoftTag>,
      progress: ({ progress }: ReleaseRow) => (
        <SoftTag tone={toneOfProgress[progress]}>{reader.option('progress', progress)}</SoftTag>
      ),
      wave: ({ wave, waveCount }: ReleaseRow) => (
        <span className="figure">
          {wave} / {waveCount}
        </span>
      ),
    }),
    [reader],
  )
  const possible: Readonly<Record<string, (row: ReleaseRow) => boolean>> = {
    'release.action.retryFailed': ({ failed, state }) => failed > 0 && state !== 'stopping',
    'release.action.skipWave': ({ state, wave, waveCount }) =>
      (state === 'running' || state === 'paused') && wave > 0 && wave < waveCount,
    // What undoes it is known on its page.
    'release.action.rollBack': () => false,
  }
  return (
    <>
      <ListScreen
        resource={release}
        list={list}
        cells={cells}
        identityTo={mayOpen && detailOf}
        rowButtons={actions.rowButtons
          .filter(({ label }) => !ofDevices.includes(label))
          .map((button) => ({
            ...button,
            shown: (row: ReleaseRow) => button.shown?.(row) !== false && possible[button.label]?.(row) !== false,
          }))}
      />
      {actions.dialog}
    </>
  )
}
