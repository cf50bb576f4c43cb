import { sql } from 'kysely'
import type { DeviceExtension } from '../device/index.ts'

/** What the screens of devices show of the codes they joined with. */
export const codesOfDevices: DeviceExtension = {
  timeline: ({ device, earlier, newest }) => [
    sql`select used_time, 'activated', 'activated', 'info', '{}'::jsonb
      from activation_code where sn = ${device.sn} and used_time >= (select create_time from device
        where id = ${device.id}) ${earlier(sql`used_time`)} ${newest}`,
  ],
  // Where several enterprises have codes for it, whose it is shows when it joins.
  reservedFor: (sn) =>
    sql`(select (array_agg(c.department_id order by c.id desc))[1] from activation_code c
      join department d on d.id = c.department_id where c.sn = ${sn}
      having count(distinct enterprise_path(d.path)) = 1)`,
}
