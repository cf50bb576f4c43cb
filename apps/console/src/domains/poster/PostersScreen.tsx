import type { Row } from '@campanile/contract/kit'
import { poster, posterResult } from '@campanile/contract/poster'
import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { ListScreen, usePermitted, useReader, useResourceList } from '../../kit/index.ts'
import { useDeclaredActions } from '../../kit/list/useDeclaredActions.tsx'
import { askList } from '../../kit/list/useResourceList.ts'
import { sizeText } from '../../kit/size.ts'
import { PosterPicture } from './PosterPicture.tsx'
import { statusCell, useShownButtons } from './useShown.tsx'

type PosterRow = Row<typeof poster>

export const ask = (search: string) => askList(poster, search)

/** Pictures that devices show in turn, released and taken back wave by wave. */
export default function PostersScreen() {
  const list = useResourceList(poster)
  const reader = useReader(poster)
  const actions = useDeclaredActions(poster, list)
  const navigate = useNavigate()
  const buttons = useShownButtons('poster', reader)
  const maySeeResults = usePermitted(posterResult.perms.list)
  const cells = useMemo(
    () => ({
      fileUrl: (row: PosterRow) => <PosterPicture row={row} label={reader.t('poster.preview')} />,
      ...statusCell(reader),
      size: ({ size }: PosterRow) => <span className="figure">{sizeText(size, reader)}</span>,
    }),
    [reader],
  )
  return (
    <>
      <ListScreen
        resource={poster}
        list={list}
        cells={cells}
        rowButtons={[
          ...buttons,
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
