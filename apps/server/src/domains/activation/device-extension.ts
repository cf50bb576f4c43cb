import { sql } from 'kysely'
import type { DeviceExtension } from '../device/index.ts'

/** What the screens of devices show of the codes they joined with. */
export const codesOfDevices: DeviceExtension = {
  timeline: ({ device, earlier, newest }) => [
    sql`select used_time, 'activated', 'activated', 'info', '{}'::jsonb
      from activation_code where sn = ${device.sn} and used_time >= (select create_time from device
        where id = ${device.id}) ${earlier(sql`used_time`)} ${newest}`,
  ],
  reservedFor: (sn) =>
    sql`(select c.department_id from activation_code c where c.sn = ${sn} order by c.id desc limit 1)`,
}
