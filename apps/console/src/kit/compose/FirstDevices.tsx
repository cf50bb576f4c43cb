import { device } from '@campanile/contract/device'
import type { ReactNode } from 'react'
import { DeviceLink } from '../DeviceLink.tsx'
import { PlainTable } from '../PlainTable.tsx'
import { useReader } from '../reader.ts'

interface Named {
  readonly sn: string
  readonly departmentName: string
}
interface Props<Each extends Named> {
  first: readonly Each[]
  receiving: number
  /** What the last column is called, and what it says of each. */
  column: string
  state: (each: Each) => ReactNode
}

/** The first of those it would reach, by name. */
export function FirstDevices<Each extends Named>({ first, receiving, column, state }: Props<Each>) {
  const reader = useReader(device)
  const { t } = reader
  return (
    <div className="card compose-first">
      <div className="compose-head">
        <h4>{t('compose.first')}</h4>
        <span className="quiet">
          {t('compose.firstOf', { shown: reader.number(first.length), all: reader.number(receiving) })}
        </span>
      </div>
      <PlainTable columns={[reader.field('sn'), reader.field('departmentId'), column]}>
        {first.map((each) => (
          <tr key={each.sn}>
            <td>
              <DeviceLink sn={each.sn} />
            </td>
            <td>{each.departmentName}</td>
            <td>{state(each)}</td>
          </tr>
        ))}
      </PlainTable>
    </div>
  )
}
