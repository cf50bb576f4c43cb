import type { Row } from '@campanile/contract/kit'
import { promotion, promotionMachine, promotionRelease } from '@campanile/contract/poster'
import { useMemo } from 'react'
import { ListScreen, StateMark, usePermitted, useReader, useResourceList } from '../../kit/index.ts'
import { releaseItem } from '../release/pickers.tsx'
import { targetsOf, tones } from './shown.ts'

type PromotionRow = Row<typeof promotion>

/** Texts that devices show, released and taken back wave by wave. */
export default function PromotionsScreen() {
  const list = useResourceList(promotion)
  const reader = useReader(promotion)
  const mayRelease = usePermitted(promotionRelease.perms.release)
  const cells = useMemo(
    () => ({
      status: ({ status }: PromotionRow) => (
        <StateMark tone={tones[status]}>{reader.option('status', status)}</StateMark>
      ),
    }),
    [reader],
  )
  const release = (row: PromotionRow, action: 'show' | 'hide') =>
    releaseItem({
      kind: 'promotion',
      item: { id: row.id, name: row.title },
      action,
      targets: targetsOf(row, row.deviceType === null ? '' : reader.code('deviceType', row.deviceType)),
    })
  return (
    <ListScreen
      resource={promotion}
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
      ]}
    />
  )
}
