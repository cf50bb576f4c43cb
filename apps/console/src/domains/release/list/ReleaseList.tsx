import type { Resource, Row } from '@campanile/contract/kit'
import { releaseDetail, type releaseFields } from '@campanile/contract/release'
import { useMemo } from 'react'
import { ListScreen, SoftTag, usePermitted, useReader, useResourceList } from '../../../kit/index.ts'
import { useDeclaredActions } from '../../../kit/list/useDeclaredActions.tsx'
import { toneOfProgress, toneOfRelease } from '../detail/story.ts'

type ReleaseRow = Row<Resource<typeof releaseFields>>

const detailOf = ({ id }: { id: number }) => `/release/detail/${id}`
/** Devices are chosen on the page of a release. */
const ofDevices = ['retryDevices', 'cancelDevices']
const isUnderWay = ({ state }: ReleaseRow) => state !== 'ended'
const watchMs = 5_000

const possible: Readonly<Record<string, (row: ReleaseRow) => boolean>> = {
  retryFailed: ({ failed, state }) => failed > 0 && state !== 'stopping',
  skipWave: ({ state, wave, waveCount }) => (state === 'running' || state === 'paused') && wave > 0 && wave < waveCount,
  // What undoes it is known on its page.
  rollBack: () => false,
}

/** `release.action.skipWave` is `skipWave`. */
const actionOf = (label: string) => label.slice(label.lastIndexOf('.') + 1)

interface Props {
  resource: Resource & { readonly fields: typeof releaseFields }
  /** The list of its devices, where its kind has one of its own: it stands below the history, `/IOT/ota/history/:id`. */
  devices?: Resource
}

/** A list of releases: of all kinds, or of one with permissions of its own. */
export function ReleaseList({ resource, devices }: Props) {
  const list = useResourceList(resource, { refreshEvery: (rows) => (rows.some(isUnderWay) ? watchMs : false) })
  const reader = useReader(resource)
  const actions = useDeclaredActions(resource, list)
  const mayOpen = usePermitted(devices ? devices.perms.list : releaseDetail.perm)
  const pageOf = devices ? ({ id }: { id: number }) => `${resource.menu?.url}/${id}` : detailOf
  const cells = useMemo(
    () => ({
      state: ({ state }: ReleaseRow) => <SoftTag tone={toneOfRelease[state]}>{reader.option('state', state)}</SoftTag>,
      // Where nothing else says that it stands still, this does.
      progress: ({ progress, state }: ReleaseRow) =>
        state === 'paused' && resource.list.hidden?.includes('state') ? (
          <SoftTag tone={toneOfRelease[state]}>{reader.option('state', state)}</SoftTag>
        ) : (
          <SoftTag tone={toneOfProgress[progress]}>{reader.option('progress', progress)}</SoftTag>
        ),
      wave: ({ wave, waveCount }: ReleaseRow) => (
        <span className="figure">
          {wave} / {waveCount}
        </span>
      ),
    }),
    [reader, resource],
  )
  return (
    <>
      <ListScreen
        resource={resource}
        list={list}
        cells={cells}
        identityTo={mayOpen && pageOf}
        rowButtons={actions.rowButtons
          .filter(({ label }) => !ofDevices.includes(actionOf(label)))
          .map((button) => ({
            ...button,
            shown: (row: ReleaseRow) =>
              button.shown?.(row as never) !== false && possible[actionOf(button.label)]?.(row) !== false,
          }))}
      />
      {actions.dialog}
    </>
  )
}
