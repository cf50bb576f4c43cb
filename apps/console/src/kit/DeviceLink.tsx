import { Link } from 'react-router'
import { usePermission } from '../shell/permissions.ts'

const pageOf = (sn: string) => `/device/list/detail/${encodeURIComponent(sn)}`

const toDevice = ({ sn }: { sn: string }): string => pageOf(sn)

/** Where a serial number of a list leads: the page of the device, for those who may open it. */
export const useToDevice = (): { identityTo: ((row: { sn: string }) => string) | false } => ({
  identityTo: usePermission('device:list:detail') && toDevice,
})

/** A serial number, which leads to the page of the device for those who may open it. */
export function DeviceLink({ sn }: { sn: string }) {
  const may = usePermission('device:list:detail')
  if (!may) return <span className="mono">{sn}</span>
  return (
    <Link className="mono" to={pageOf(sn)}>
      {sn}
    </Link>
  )
}
