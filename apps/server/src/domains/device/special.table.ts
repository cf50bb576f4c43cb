import { deviceTypes, robot, selfService, videoPhone } from '@campanile/contract'
import { type SqlBool, sql } from 'kysely'
import { ofDepartment } from '../../kit/department.ts'
import { bindTable, type TableSpec } from '../../kit/table.ts'
import { licenceState } from './licence-state.ts'
import { schoolAbove } from './school-above.ts'

const place = ofDepartment()

/** The registry's rows of one type beside what those devices say of themselves. */
const ofType = (type: number, { columns, filters }: Pick<TableSpec, 'columns' | 'filters'>): TableSpec => ({
  name: 'device',
  joins: sql`join device_state s on s.device_id = t.id ${place.joins}`,
  columns: {
    ...place.columns,
    iotStatus: sql`s.iot_status`,
    lastConnected: sql`s.connected_at`,
    ...columns,
  },
  filters: {
    ...place.filters,
    iotStatus: (states: readonly string[]) => sql<SqlBool>`s.iot_status = any(${states})`,
    ...filters,
  },
  path: place.path,
  visible: () => sql<SqlBool>`t.device_type = ${type}`,
})

const lastCommand = (column: 'command' | 'state') =>
  sql`(select c.${sql.ref(column)} from command c where c.device_id = t.id order by c.create_time desc limit 1)`

export const robots = bindTable(
  robot,
  ofType(deviceTypes.robot, {
    columns: {
      robotState: sql`s.robot_state`,
      battery: sql`s.battery`,
      charging: sql`s.charging`,
      lastTask: lastCommand('command'),
      lastTaskState: lastCommand('state'),
    },
  }),
)

const said = (name: 'printer' | 'cash') => sql`s.values->${sql.lit(name)}->>'v'`

export const selfServices = bindTable(
  selfService,
  ofType(deviceTypes.selfService, { columns: { printer: said('printer'), cash: said('cash') } }),
)

/** Phones call through a messaging app, so that licence counts. */
const phoneLicence = (value: ReturnType<typeof sql>) =>
  sql`(select ${value} from licence l where l.device_id = t.id and l.kind = 'im' and not l.revoked)`
const licence = sql`coalesce(${phoneLicence(licenceState('l'))}, 'none')`

/** Of the power schedule the device has taken last. */
const schedule = (value: ReturnType<typeof sql>) =>
  sql`(select case when coalesce((k.args->>'enabled')::boolean, true) then ${value} end
    from command c join device_task k on k.id = c.task_id
    where c.device_id = t.id and c.command = 'powerSchedule' and c.state = 'done' order by c.end_time desc limit 1)`

export const videoPhones = bindTable(
  videoPhone,
  ofType(deviceTypes.videoPhone, {
    columns: {
      schoolName: schoolAbove,
      licence,
      licenceExpiry: phoneLicence(sql`l.expiry`),
      powerOff: schedule(sql`k.args->>'off'`),
      powerOn: schedule(sql`k.args->>'on'`),
      powerSetTime: schedule(sql`c.end_time`),
    },
    filters: { licence: (states: readonly string[]) => sql<SqlBool>`${licence} = any(${states})` },
  }),
)
