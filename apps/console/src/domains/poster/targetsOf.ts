import type { Row } from '@campanile/contract/kit'
import type { promotion } from '@campanile/contract/poster'

type Meant = Pick<Row<typeof promotion>, 'range' | 'deviceType' | 'departmentId' | 'departmentName'>

/** Whom something is meant for, as far as it says so itself; the devices of a set are chosen each time. */
export const targetsOf = ({ range, deviceType, departmentId, departmentName }: Meant, everywhere: string) => {
  if (range === 'all') return [{ departmentId, label: departmentName }]
  if (range === 'category' && deviceType !== null)
    return [{ filter: { deviceType: [String(deviceType)] }, label: everywhere }]
  return []
}
