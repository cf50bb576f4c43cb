/**
 * The device list with every filter and order and its exact total, against the same page and count written by hand and sent
 * on one connection in the same run. `--devices 100000 --runs 40`
 */
import { parseArgs } from 'node:util'
import { compareLists } from './compared-lists.ts'
import { deviceRows } from './device-rows.ts'
import { machine, raise } from './installation.ts'

const { values: options } = parseArgs({
  options: { devices: { type: 'string', default: '100000' }, runs: { type: 'string', default: '40' } },
})
const devices = Number(options.devices)
const runs = Number(options.runs)

interface Case {
  name: string
  query: Record<string, string | number | boolean>
  where: string
  order?: string
}
const cases: Case[] = [
  { name: 'first page', query: {}, where: 'true' },
  { name: 'page 500', query: { page: 500 }, where: 'true' },
  { name: 'serial by part', query: { sn: '4321' }, where: "t.sn ilike '%4321%'" },
  { name: 'one enterprise', query: { departmentId: 120 }, where: "d.path <@ '1.120'" },
  { name: 'online', query: { iotStatus: 'online' }, where: "s.iot_status = 'online'" },
  { name: 'type', query: { deviceType: 4 }, where: 't.device_type = 4' },
  { name: 'model', query: { model: 'Model 17' }, where: "t.model ilike '%Model 17%'" },
  { name: 'batch', query: { batchNumber: 'B-77' }, where: "t.batch_number ilike '%B-77%'" },
  { name: 'firmware', query: { firmwareVersion: '1.7.0' }, where: "s.firmware_version ilike '%1.7.0%'" },
  { name: 'activated', query: { activationStatus: 2 }, where: 't.activation_status = 2' },
  { name: 'group', query: { groupId: 1 }, where: 't.group_id = 1' },
  { name: 'locked', query: { locked: true }, where: 's.locked' },
  { name: 'imei by part', query: { imei: '99123' }, where: "t.imei ilike '%99123%'" },
  { name: 'robots that work', query: { robotState: 'working' }, where: "s.robot_state = 'working'" },
  {
    name: 'one enterprise, online, a type',
    query: { departmentId: 120, iotStatus: 'online', deviceType: 4 },
    where: "d.path <@ '1.120' and s.iot_status = 'online' and t.device_type = 4",
  },
  { name: 'newest first', query: { sort: '-createTime' }, where: 'true', order: 't.create_time desc, t.id desc' },
  { name: 'by model', query: { sort: 'model' }, where: 'true', order: 't.model, t.id' },
  {
    name: 'by batch, last first',
    query: { sort: '-batchNumber' },
    where: 'true',
    order: 't.batch_number desc, t.id desc',
  },
  { name: 'by state', query: { sort: 'iotStatus' }, where: 'true', order: "coalesce(s.iot_status, 'offline'), t.id" },
  { name: 'by battery', query: { sort: 'battery' }, where: 'true', order: 's.battery, t.id' },
  {
    name: 'last connected first',
    query: { sort: '-lastConnected' },
    where: 'true',
    order: 's.connected_at desc nulls last, t.id desc',
  },
  { name: 'by firmware', query: { sort: 'firmwareVersion' }, where: 'true', order: 's.firmware_version, t.id' },
  { name: 'by organisation', query: { sort: 'departmentId' }, where: 'true', order: 't.department_id, t.id' },
  {
    name: 'online by battery',
    query: { iotStatus: 'online', sort: 'battery' },
    where: "s.iot_status = 'online'",
    order: 's.battery, t.id',
  },
]
const from = `from device t left join department d on d.id = t.department_id left join device_state s on s.device_id = t.id left join device_group g on g.id = t.group_id`
const byHand = ({ where, order = 't.sn, t.id', query }: Case) => `
  select t.*, d.name as department_name, g.name as group_name, s.* ${from} where ${where} order by ${order}
    limit 20 offset ${20 * (Number(query.page ?? 1) - 1)};
  select count(*) ${from} where ${where}`

// Without a gateway, which would find out that none of them is there.
const bench = await raise({ roles: 'api' })
try {
  for (const statement of deviceRows(devices)) await bench.owner.query(statement)
  console.log(`${machine()}\n${devices} devices, 1,000 organisations, ${runs} runs each, pages of 20\n`)
  await compareLists(
    bench,
    cases.map((one) => ({ ...one, path: '/api/v3/device/basic/list', sql: byHand(one) })),
    runs,
  )
} finally {
  await bench.stop()
}
