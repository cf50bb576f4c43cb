import type { Row } from '@campanile/contract/kit'
import { poster, posterRelease, posterResult, promotionMachine } from '@campanile/contract/poster'
import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { ListScreen, StateMark, usePermitted, useReader, useResourceList } from '../../kit/index.ts'
import { useDeclaredActions } from '../../kit/list/useDeclaredActions.tsx'
import { askList } from '../../kit/list/useResourceList.ts'
import { sizeText } from '../../kit/size.ts'
import { releaseItem } from '../release/pickers.tsx'
import { PosterPicture } from './PosterPicture.tsx'
import { targetsOf, tones } from './shown.ts'

type PosterRow = Row<typeof poster>

export const ask = (search: string) => askList(poster, search)

/** Pictures that devices show in turn, released and taken back wave by wave. */
export default function PostersScreen() {
  const list = useResourceList(poster)
  const reader = useReader(poster)
  const actions = useDeclaredActions(poster, list)
  const navigate = useNavigate()
  const mayRelease = usePermitted(posterRelease.perms.release)
  const maySeeResults = usePermitted(posterResult.perms.list)
  const cells = useMemo(
    () => ({
      fileUrl: (row: PosterRow) => <PosterPicture row={row} label={reader.t('poster.preview')} />,
      status: ({ status }: PosterRow) => <StateMark tone={tones[status]}>{reader.option('status', status)}</StateMark>,
      size: ({ size }: PosterRow) => <span className="figure">{sizeText(size, reader)}</span>,
    }),
    [reader],
  )
  const release = (row: PosterRow, action: 'show' | 'hide') =>
    releaseItem({
      kind: 'poster',
      item: { id: row.id, name: row.title },
      action,
      targets: targetsOf(row, row.deviceType === null ? '' : reader.code('deviceType', row.deviceType)),
    })
  return (
    <>
      <ListScreen
        resource={poster}
        list={list}
        cells={cells}
        rowButtons={[
          {
            label: 'releaseDetail.release',
            shown: ({ status }) => mayRelease && promotionMachine.can(status, 'release'),
            run: (row) => release(row, 'show'),
          },
          {
            label: 'releaseDetail.takeDown',
            shown: ({ status }) => mayRelease && promotionMachine.can(status, 'remove'),
            run: (row) => release(row, 'hide'),
          },
          {
            label: 'poster.results',
            shown: ({ releaseType }) => maySeeResults && releaseType !== 0,
            run: ({ id }) => navigate(`/slider/result/${id}`),
          },
          ...actions.rowButtons,
        ]}
      />
      {actions.dialog}
    </>
  )
}
