import { deviceTypes, robot, selfService, videoPhone } from '@campanile/contract'
import { type SqlBool, sql } from 'kysely'
import { ofDepartment } from '../../kit/department.ts'
import { bindTable, type TableSpec } from '../../kit/table.ts'
import { broughtColumn, broughtFilter } from './extension.ts'
import { countedAs, isConnected } from './offline.ts'
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
    iotStatus: isConnected,
    ...filters,
  },
  countedAs,
  path: place.path,
  visible: () => sql<SqlBool>`t.device_type = ${type}`,
})

export const robots = bindTable(
  robot,
  ofType(deviceTypes.robot, {
    columns: {
      robotState: sql`s.robot_state`,
      battery: sql`s.battery`,
      charging: sql`s.charging`,
      lastTask: broughtColumn('robot.lastTask'),
      lastTaskState: broughtColumn('robot.lastTaskState'),
    },
  }),
)

const said = (name: 'printer' | 'cash') => sql`s.values->${sql.lit(name)}->>'v'`

export const selfServices = bindTable(
  selfService,
  ofType(deviceTypes.selfService, { columns: { printer: said('printer'), cash: said('cash') } }),
)

export const videoPhones = bindTable(
  videoPhone,
  ofType(deviceTypes.videoPhone, {
    columns: {
      schoolName: schoolAbove,
      licence: broughtColumn('videoPhone.licence'),
      licenceExpiry: broughtColumn('videoPhone.licenceExpiry'),
      powerOff: broughtColumn('videoPhone.powerOff'),
      powerOn: broughtColumn('videoPhone.powerOn'),
      powerSetTime: broughtColumn('videoPhone.powerSetTime'),
    },
    filters: { licence: broughtFilter('videoPhone.licence') },
  }),
)
