/**
 * Reads of personal data, each with its line in the operation log: lines that wait for one another at the head of the chain
 * (as it was) against lines that are chained shortly after, each with a commit of its own or gathered as the server does, in
 * turns on the same database. The chain is worked on meanwhile. `--seconds 5 --rounds 3 --readers 16`
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { createClient } from '@campanile/client'
import { type AuditLine, catchUpLog, createLineGatherer, recordOperation } from '../apps/server/src/platform/audit.ts'
import { adminPassword, figure, machine, percentile, raise } from './installation.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    readers: { type: 'string', default: '16' },
  },
})
const seconds = Number(options.seconds)
const people = 20_000

/** The log as it was: the number, the time and the hash of a line are given under a lock that is held until commit. */
const asItWas = `
  create table was_log (like op_log including all);
  create table was_head (like op_log_head including all);
  create table was_tally (like op_log_tally including all);
  insert into was_head (id, hash) values (0, decode(repeat('00', 32), 'hex'));
  create function was_chain() returns trigger language plpgsql as $$
  declare
    head was_head;
  begin
    select * into head from was_head for update;
    new.id := head.id + 1;
    new.create_time := greatest(clock_timestamp(), head.create_time);
    new.hash := sha256(head.hash || convert_to(jsonb_build_array(new.id, extract(epoch from new.create_time), new.department_id,
      new.department_name, new.department_path::text, new.user_id, new.username, new.client_ip, new.host, new.route, new.module,
      new.type, new.description, new.result, new.code, new.user_agent, new.before, new.after)::text, 'UTF8'));
    update was_head set id = new.id, hash = new.hash, create_time = new.create_time;
    insert into was_tally values ((new.create_time at time zone 'UTC')::date, coalesce(new.department_path, ''), new.module,
      new.type, new.result, 1)
    on conflict (day, department_path, module, type, result) do update set lines = was_tally.lines + 1;
    return new;
  end
  $$;
  create trigger was_chain before insert on was_log for each row execute function was_chain();
  grant select, insert, update on was_log, was_head, was_tally to campanile_app`

const bench = await raise({ roles: 'api,worker' })
const { owner, db, pool } = bench
const gather = createLineGatherer(db)

const line: AuditLine = {
  actor: { id: 1, username: 'admin', department: { id: 1, name: 'Campanile', path: '1' } },
  clientIp: '10.0.0.1',
  host: 'console.example',
  route: 'GET /api/v1/oauth/users/list',
  module: 'user',
  type: 'read',
  description: '1 of 1',
  result: 'success',
  code: 100000,
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
}

const asItWasWritten = () =>
  pool.query(
    `insert into was_log (department_id, department_name, department_path, user_id, username, client_ip, host, route, module, type,
      description, result, code, user_agent)
    values (1, 'Campanile', '1', 1, 'admin', $1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      line.clientIp,
      line.host,
      line.route,
      line.module,
      line.type,
      line.description,
      line.result,
      line.code,
      line.userAgent,
    ],
  )

const readWith = (record: () => Promise<unknown>) => async (n: number) => {
  await pool.query('select id, username, real_name, mobile from sys_user where username_key = $1', [`u${n % people}`])
  await record()
}

/** As fast as so many readers can; answers reads a second, and the times. */
const readFor = async (work: (n: number) => Promise<unknown>, atOnce: number) => {
  const times: number[] = []
  const end = performance.now() + seconds * 1000
  const start = performance.now()
  let n = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() < end) {
        const before = performance.now()
        n += 1
        await work(n)
        times.push(performance.now() - before)
      }
    }),
  )
  times.sort((a, b) => a - b)
  return { each: (times.length * 1000) / (performance.now() - start), times }
}

type Run = Awaited<ReturnType<typeof readFor>>

const summary = (runs: Run[]) => {
  const times = runs.flatMap((run) => run.times).sort((a, b) => a - b)
  return {
    each: runs.reduce((sum, run) => sum + run.each, 0) / runs.length,
    cells: [percentile(times, 0.5), percentile(times, 0.99)].map((cell) => figure(cell, 2)).join(' | '),
  }
}

try {
  await owner.query(asItWas)
  await owner.query(`insert into sys_user (username, username_key, real_name, department_id, type, password_hash)
    select 'u' || n, 'u' || n, 'Person ' || n, 1, 2, '' from generate_series(1, ${people}) n`)
  await owner.query('vacuum analyze')
  const readers = Number(options.readers)
  const ways = [
    { lines: 'wait for one another, as it was', read: readWith(asItWasWritten), runs: [] as Run[] },
    { lines: 'each with its own commit', read: readWith(() => recordOperation(db, line)), runs: [] as Run[] },
    { lines: 'gathered', read: readWith(() => gather(line)), runs: [] as Run[] },
  ]
  const behind: number[] = []
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const { read, runs } of ways) runs.push(await readFor(read, readers))
    const start = performance.now()
    await catchUpLog(db)
    behind.push(performance.now() - start)
  }
  console.log(
    `${machine()}, load ${figure(loadavg()[0] ?? 0)}\n${readers} readers, ${options.rounds} rounds of ${seconds} s each\n`,
  )
  console.log('| lines | reads /s | p50 ms | p99 ms | ratio |\n|---|---|---|---|---|')
  const [first, ...others] = ways.map(({ lines, runs }) => ({ lines, ...summary(runs) }))
  for (const { lines, each, cells } of first ? [first, ...others] : [])
    console.log(`| ${lines} | ${figure(each, 0)} | ${cells} | ${figure(each / (first?.each ?? 1), 2)} |`)
  console.log(`\nchaining the rest at the end of a round took ${figure(Math.max(...behind))} ms at most`)

  const client = createClient({ baseUrl: bench.url })
  const { token } = await client.call<{ token: string }>('POST', '/api/v1/login', {
    body: { username: 'admin', password: adminPassword },
  })
  const signedIn = createClient({ baseUrl: bench.url, token: () => token })
  const path = '/api/v1/oauth/users/list'
  const asked = await readFor((n) => signedIn.call('GET', path, { query: { username: `u${n % people}` } }), 16)
  const whole = summary([asked])
  console.log(
    `\nthe list of users over HTTP, client and server in one process: ${figure(whole.each, 0)}/s (p50, p99 ms: ${whole.cells})`,
  )
} finally {
  await bench.stop()
}
