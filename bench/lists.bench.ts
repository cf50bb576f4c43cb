/**
 * Lists of 100,000 users and 10,000 organisations: p95 of each filter and order with an exact total,
 * against the same two statements written by hand and sent on one connection in the same run.
 */
import { compareLists } from './compared-lists.ts'
import { machine, raise } from './installation.ts'

const users = 100_000
const organisations = 10_000
const runs = 60

const fill = `
  with top as (select id, path from department where parent_id is null)
  insert into department (id, parent_id, path, name, type)
  select 100 + n, top.id, top.path || (100 + n)::text, 'Enterprise ' || n, 1 from top, generate_series(1, 100) n;
  insert into department (id, parent_id, path, name, type)
  select 1000 + n, parent.id, parent.path || (1000 + n)::text, 'Department ' || n, 0
  from generate_series(1, ${organisations - 100}) n join department parent on parent.id = 101 + n % 100;
  insert into sys_user (username, username_key, real_name, department_id, type, password_hash)
  select 'user' || n, 'user' || n, 'Person ' || md5(n::text), 1001 + n % ${organisations - 100}, 2, '-' from generate_series(1, ${users}) n;
  analyze department; analyze sys_user;
`

interface Case {
  name: string
  path: string
  query: Record<string, string | number>
  sql: string
}
const userPage = (where: string, order: string) => `
  select t.*, d.name as department_name from sys_user t left join department d on d.id = t.department_id where ${where} order by ${order} limit 20;
  select count(*) from sys_user t left join department d on d.id = t.department_id where ${where}`
const orgPage = (where: string, order: string) => `
  select t.*, p.name as parent_name from department t left join department p on p.id = t.parent_id where ${where} order by ${order} limit 20;
  select count(*) from department t where ${where}`
const userList = '/api/v1/oauth/users/list'
const orgList = '/api/v1/oauth/depts/list'
const cases: Case[] = [
  { name: 'users, first page', path: userList, query: {}, sql: userPage('true', 't.username, t.id') },
  {
    name: 'users by name part',
    path: userList,
    query: { realName: 'abc' },
    sql: userPage("t.real_name ilike '%abc%'", 't.username, t.id'),
  },
  {
    name: 'users by account part',
    path: userList,
    query: { username: 'er777' },
    sql: userPage("t.username ilike '%er777%'", 't.username, t.id'),
  },
  {
    name: 'users of one enterprise',
    path: userList,
    query: { departmentId: 120 },
    sql: userPage("d.path <@ '1.120'", 't.username, t.id'),
  },
  {
    name: 'users by type, newest first',
    path: userList,
    query: { type: 2, sort: '-createTime' },
    sql: userPage('t.type = 2', 't.create_time desc, t.id desc'),
  },
  {
    name: 'users, last signed in first',
    path: userList,
    query: { sort: '-lastLogin' },
    sql: userPage('true', 't.last_login desc nulls last, t.id desc'),
  },
  { name: 'organisations, first page', path: orgList, query: {}, sql: orgPage('true', 't.name, t.id') },
  {
    name: 'organisations by name part',
    path: orgList,
    query: { name: 'ent 77' },
    sql: orgPage("t.name ilike '%ent 77%'", 't.name, t.id'),
  },
  {
    name: 'organisations by type, newest first',
    path: orgList,
    query: { type: 0, sort: '-createTime' },
    sql: orgPage('t.type = 0', 't.create_time desc, t.id desc'),
  },
]

const bench = await raise()
try {
  await bench.owner.query(fill)
  console.log(`${machine()}\n${users} users, ${organisations} organisations, ${runs} runs each, pages of 20\n`)
  await compareLists(bench, cases, runs)
} finally {
  await bench.stop()
}
