/**
 * One search over everything: p50 and p95 of the whole call, as somebody who reaches all of it, as somebody who reaches half
 * and as somebody of one enterprise of a hundred, against one plain statement that finds as many devices by their serial
 * number on one connection in the same run. Then what needs a person, as home asks for it: the first look at the fleet and
 * those after it. `--devices 1000000 --runs 40`
 */
import { parseArgs } from 'node:util'
import { createClient } from '@campanile/client'
import { hashPassword } from '../apps/server/src/platform/password-hash.ts'
import { deviceRows } from './device-rows.ts'
import { adminPassword, figure, machine, percentile, raise, timed } from './installation.ts'

const { values: options } = parseArgs({
  options: { devices: { type: 'string', default: '1000000' }, runs: { type: 'string', default: '40' } },
})
const devices = Number(options.devices)
const runs = Number(options.runs)
const people = 100_000
const codes = 200_000
const tasks = 100_000

/** Of everything somebody may type: what one row holds, what many hold, what nearly all hold, and what none does. */
const wanted = [
  { name: 'a whole serial number', text: '81D-00432100' },
  { name: 'its last figures', text: '00432100' },
  { name: 'five figures', text: '43210' },
  { name: 'three figures', text: '432' },
  { name: 'what every number holds', text: '000' },
  { name: 'an IMEI', text: '860000000432100' },
  { name: 'what every IMEI begins with', text: '86000' },
  { name: 'the start of an address', text: '10.24' },
  { name: 'an address', text: '10.243.3.4' },
  { name: 'a name', text: 'Person 4321' },
  { name: 'what everybody is called', text: 'Person' },
  { name: 'a name in Chinese', text: '王芳' },
  { name: 'nothing has it', text: 'qqqq' },
]
const readers = [
  { username: 'all', on: 'd.parent_id is null' },
  { username: 'half', on: 'd.id between 101 and 150' },
  { username: 'enterprise', on: 'd.id = 110' },
]

const bench = await raise({ roles: 'api' })
const { owner } = bench
const password = await hashPassword(adminPassword)
const appoint = ({ username, on }: (typeof readers)[number]) =>
  owner.query(
    `with person as (insert into sys_user (username, username_key, real_name, department_id, type, password_hash)
        values ($1, $1, $1, 110, 2, $2) returning id),
      office as (insert into sys_role (name, department_id) values ($1, 110) returning id),
      may as (insert into role_menu select office.id, min(m.id) from office, menu m where m.perms is not null
        and not m.platform group by office.id, m.perms),
      reach as (insert into role_department select office.id, d.id from office, department d where ${on})
    insert into user_role select person.id, office.id from person, office returning user_id`,
    [username, password],
  )
const signIn = async (username: string) => {
  const { token } = await createClient({ baseUrl: bench.url }).call<{ token: string }>('POST', '/api/v1/login', {
    body: { username, password: adminPassword },
  })
  return createClient({ baseUrl: bench.url, token: () => token })
}

try {
  for (const statement of deviceRows(devices)) await owner.query(statement)
  await owner.query(`insert into sys_user (username, username_key, real_name, department_id, type, password_hash, mobile)
    select 'u' || n, 'u' || n, case when n % 5000 = 0 then '王芳' || n else 'Person ' || n end, 1001 + n % 900, 2, '',
      (13800000000 + n)::text from generate_series(1, ${people}) n`)
  await owner.query(`insert into activation_code (sn, department_id, code_hash, code_sealed)
    select 'NEW-' || lpad(n::text, 8, '0'), 1001 + n % 900, int8send(n), '-' from generate_series(1, ${codes}) n`)
  await owner.query(`insert into device_task (command, args, department_id, total, create_time)
    select 'reboot', '{}', 1001 + n % 900, 1, now() - n * interval '1 minute' from generate_series(1, ${tasks}) n`)
  await owner.query('vacuum analyze')
  for (const reader of readers) await appoint(reader)
  console.log(`${machine()}\n${devices} devices, ${people} users, ${codes} codes, ${tasks} tasks, ${runs} runs each`)
  for (const { username } of readers) {
    const client = await signIn(username)
    console.log(
      `\n${username}\n\n| wanted | devices | p50 ms | p95 ms | by hand p50 ms | p95 ms | ratio of p50 |\n|---|---|---|---|---|---|---|`,
    )
    for (const { name, text } of wanted) {
      const ask = () =>
        client.call<{ kinds: { kind: string; total: number; more: boolean }[] }>('GET', '/api/v1/search', {
          query: { wanted: text },
        })
      const byHand = () => owner.query('select id, sn from device where sn ilike $1 limit 1001', [`%${text}%`])
      const found = (await ask()).kinds.find(({ kind }) => kind === 'device')
      await timed(5, ask)
      await timed(5, byHand)
      const ours = await timed(runs, ask)
      const hand = await timed(runs, byHand)
      const cells = [percentile(ours, 0.5), percentile(ours, 0.95), percentile(hand, 0.5), percentile(hand, 0.95)]
      console.log(
        `| ${name} | ${found ? `${found.total}${found.more ? '+' : ''}` : 0} | ${cells.map((cell) => figure(cell)).join(' | ')} | ${figure((cells[0] ?? 0) / (cells[2] ?? 1), 2)} |`,
      )
    }
    const needs = () => client.call('GET', '/api/v1/home/needs', {})
    const [first = 0] = await timed(1, needs)
    const later = await timed(runs, needs)
    console.log(`\nneeds: first ${figure(first)} ms, then p50 ${figure(percentile(later, 0.5))} ms`)
  }
} finally {
  await bench.stop()
}
