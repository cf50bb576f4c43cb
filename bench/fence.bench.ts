/**
 * What the second fence costs: lists and figures of somebody who reaches one enterprise, and of somebody who reaches half
 * of the installation, with the row policies and without them in turns on the same rows. `--devices 100000 --runs 40`
 */
import { parseArgs } from 'node:util'
import { createClient } from '@campanile/client'
import { hashPassword } from '../apps/server/src/platform/password-hash.ts'
import { deviceRows } from './device-rows.ts'
import { adminPassword, figure, machine, percentile, raise, timed } from './installation.ts'

const { values: options } = parseArgs({
  options: { devices: { type: 'string', default: '100000' }, runs: { type: 'string', default: '40' } },
})
const devices = Number(options.devices)
const runs = Number(options.runs)

const list = '/api/v3/device/basic/list'
const cases: { name: string; path: string; query: Record<string, string | number> }[] = [
  { name: 'first page', path: list, query: {} },
  { name: 'page 20', path: list, query: { page: 20 } },
  { name: 'serial by part', path: list, query: { sn: '4321' } },
  { name: 'model by part', path: list, query: { model: 'Model 17' } },
  { name: 'one department', path: list, query: { departmentId: 1010 } },
  { name: 'online', path: list, query: { iotStatus: 'online' } },
  { name: 'firmware', path: list, query: { firmwareVersion: '1.7.0' } },
  { name: 'newest first', path: list, query: { sort: '-createTime' } },
  { name: 'last connected first', path: list, query: { sort: '-lastConnected' } },
  { name: 'by battery', path: list, query: { sort: 'battery' } },
  { name: 'figures of the home screen', path: '/api/v3/device/basic/statistics', query: {} },
  { name: 'users, first page', path: '/api/v1/oauth/users/list', query: {} },
  { name: 'users by part of a name', path: '/api/v1/oauth/users/list', query: { realName: '432' } },
  { name: 'organisations, first page', path: '/api/v1/oauth/depts/list', query: {} },
  { name: 'operation log', path: '/api/v1/gateway/op-log/list', query: {} },
  { name: 'operation log of a user', path: '/api/v1/gateway/op-log/list', query: { username: 'u777' } },
]
/** An enterprise of ten departments; fifty of them; and everything, which no policy is asked about. */
const readers = [
  { username: 'enterprise', on: 'd.id = 110' },
  { username: 'half', on: 'd.id between 101 and 150' },
  { username: 'all', on: 'd.parent_id is null' },
]
const people = 20_000
const lines = 200_000

const bench = await raise({ roles: 'api' })
const { owner } = bench
const password = await hashPassword(adminPassword)
const appoint = async ({ username, on }: (typeof readers)[number]) => {
  const { rows } = await owner.query(
    `with person as (insert into sys_user (username, username_key, real_name, department_id, type, password_hash)
        values ($1, $1, $1, 110, 2, $2) returning id),
      office as (insert into sys_role (name, department_id) values ($1, 110) returning id),
      may as (insert into role_menu select office.id, min(m.id) from office, menu m where m.perms is not null
        and not m.platform group by office.id, m.perms),
      reach as (insert into role_department select office.id, d.id from office, department d where ${on})
    insert into user_role select person.id, office.id from person, office returning user_id`,
    [username, password],
  )
  return rows
}
const signIn = async (username: string) => {
  const { token } = await createClient({ baseUrl: bench.url }).call<{ token: string }>('POST', '/api/v1/login', {
    body: { username, password: adminPassword },
  })
  return createClient({ baseUrl: bench.url, token: () => token })
}
const policies = async (verb: 'enable' | 'disable') => {
  const { rows } = await owner.query<{ name: string }>(`select distinct tablename as name from pg_policies`)
  for (const { name } of rows) await owner.query(`alter table ${name} ${verb} row level security`)
}

try {
  for (const statement of deviceRows(devices)) await owner.query(statement)
  await owner.query(`insert into sys_user (username, username_key, real_name, department_id, type, password_hash)
    select 'u' || n, 'u' || n, 'Person ' || n, 1001 + n % 900, 2, '' from generate_series(1, ${people}) n`)
  // Past the chain, which takes one line after the other.
  await owner.query(`set session_replication_role = replica`)
  await owner.query(`insert into op_log (id, create_time, department_id, department_name, department_path, user_id, username,
      route, module, type, result, code, hash) select head.id + n, now(), d.id, d.name, d.path, n, 'u' || n % ${people},
      'POST /x', 'device', 'action', 'success', 100000, ''
    from op_log_head head, generate_series(1, ${lines}) n join department d on d.id = 1001 + n % 900`)
  await owner.query(`update op_log_head set id = id + ${lines}`)
  await owner.query(`set session_replication_role = origin`)
  await owner.query('vacuum analyze')
  for (const reader of readers) await appoint(reader)
  console.log(
    `${machine()}\n${devices} devices, ${people} users, ${lines} lines, 1,000 organisations, ${runs} runs each\n`,
  )
  for (const { username } of readers) {
    const client = await signIn(username)
    console.log(
      `\n${username}\n\n| list | with p50 ms | p95 | without p50 ms | p95 | ratio of p50 |\n|---|---|---|---|---|---|`,
    )
    for (const { name, path, query } of cases) {
      const ask = () => client.call('GET', path, { query })
      const measure = async (verb: 'enable' | 'disable') => {
        await policies(verb)
        await timed(8, ask)
        return timed(runs, ask)
      }
      const [with1, without1] = [await measure('enable'), await measure('disable')]
      const [with2, without2] = [await measure('enable'), await measure('disable')]
      const sorted = (a: number[], b: number[]) => [...a, ...b].sort((x, y) => x - y)
      const [on, off] = [sorted(with1, with2), sorted(without1, without2)]
      const cells = [percentile(on, 0.5), percentile(on, 0.95), percentile(off, 0.5), percentile(off, 0.95)]
      const ratio = percentile(on, 0.5) / percentile(off, 0.5)
      console.log(`| ${name} | ${cells.map((cell) => figure(cell)).join(' | ')} | ${figure(ratio, 2)} |`)
    }
  }
  // What devices say is written by the role no policy is asked about.
  const write = (run: number) =>
    bench.pool.query(`update device_state set last_seen = now(), battery = $1 where device_id = any($2)`, [
      run % 100,
      Array.from({ length: 2_000 }, (_, at) => 1 + ((at * 47 + run) % devices)),
    ])
  const writing = async (verb: 'enable' | 'disable') => {
    await policies(verb)
    return percentile(await timed(runs, write), 0.5)
  }
  await timed(5, write)
  const [without, held] = [await writing('disable'), await writing('enable')]
  console.log(
    `\n2,000 states written: ${figure(held)} ms with, ${figure(without)} ms without, ratio ${figure(held / without, 2)}`,
  )
  const client = await bench.pool.connect()
  const turn = (to: string, reach: string) =>
    client.query(
      `select set_config('role', $1, false), set_config('campanile.reach', $2, false), set_config('campanile.home', $3, false),
        set_config('campanile.person', $4, false)`,
      [to, reach, '110', '1'],
    )
  const turned = await timed(2_000, (run) => turn(run % 2 ? 'campanile_fenced' : 'none', run % 2 ? '1.110' : ''))
  const nothing = await timed(2_000, () => client.query('select 1'))
  client.release()
  console.log(
    `\nturning a connection: ${figure(percentile(turned, 0.5), 2)} ms; a statement that does nothing: ${figure(percentile(nothing, 0.5), 2)} ms`,
  )
} finally {
  await bench.stop()
}
