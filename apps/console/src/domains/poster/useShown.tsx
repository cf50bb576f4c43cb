import type { Row } from '@campanile/contract/kit'
import {
  type poster,
  posterRelease,
  type promotion,
  promotionMachine,
  promotionRelease,
} from '@campanile/contract/poster'
import { type Reader, StateMark, usePermitted } from '../../kit/index.ts'
import { releaseItem } from '../release/pickers.tsx'
import { targetsOf } from './targetsOf.ts'

const tones = { draft: 'off', released: 'good', removed: 'off', expired: 'warning' } as const
const kinds = { poster: posterRelease, promotion: promotionRelease }

type Shown = Pick<
  Row<typeof promotion | typeof poster>,
  'id' | 'title' | 'status' | 'range' | 'deviceType' | 'departmentId' | 'departmentName'
>

/** Draft, released, removed or over. */
export const statusCell = (reader: Reader) => ({
  status: ({ status }: Pick<Shown, 'status'>) => (
    <StateMark tone={tones[status]}>{reader.option('status', status)}</StateMark>
  ),
})

/** What devices show is released and taken back in the same way, picture or text. */
export const useShownButtons = (kind: keyof typeof kinds, reader: Reader) => {
  const mayRelease = usePermitted(kinds[kind].perms.release)
  const release = (row: Shown, action: 'show' | 'hide') =>
    releaseItem({
      kind,
      item: { id: row.id, name: row.title },
      action,
      targets: targetsOf(row, row.deviceType === null ? '' : reader.code('deviceType', row.deviceType)),
    })
  return [
    {
      label: 'releaseDetail.release',
      shown: ({ status }: Shown) => mayRelease && promotionMachine.can(status, 'release'),
      run: (row: Shown) => release(row, 'show'),
    },
    {
      label: 'releaseDetail.takeDown',
      shown: ({ status }: Shown) => mayRelease && promotionMachine.can(status, 'remove'),
      run: (row: Shown) => release(row, 'hide'),
    },
  ]
}
