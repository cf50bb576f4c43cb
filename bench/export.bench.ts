/** A million lines of the operation log to a spreadsheet: time and memory, against reading the same rows by cursor and throwing them away. */
import { createClient } from '@campanile/client'
import { adminPassword, figure, machine, raise } from './installation.ts'

const lines = 1_000_000

/** Filling goes around the chain as only the owner can. */
const fill = `
  insert into op_log (id, create_time, department_id, department_name, department_path, user_id, username, client_ip, host, route, module, type, description, result, code, hash)
  select 1000000 + n, now() - n * interval '1 second', 1, 'Campanile', '1', 1, 'user' || n % 500, '10.0.0.' || n % 250, 'console.example', 'PUT /api/v1/oauth/users/update', 'user', 'update', 'user' || n, 'success', 100000, sha256(n::text::bytea)
  from generate_series(1, ${lines}) n;
  analyze op_log;
`
const mib = (bytes: number) => bytes / 2 ** 20

const bench = await raise()
try {
  await bench.owner.query(fill)
  const client = createClient({ baseUrl: bench.url })
  const { token } = await client.call<{ token: string }>('POST', '/api/v1/login', {
    body: { username: 'admin', password: adminPassword },
  })
  const signedIn = createClient({ baseUrl: bench.url, token: () => token })
  const readAll = performance.now()
  await bench.owner.query('begin; declare lines no scroll cursor for select * from op_log order by id desc')
  for (let rows = 1; rows > 0; ) rows = (await bench.owner.query('fetch 5000 from lines')).rowCount ?? 0
  await bench.owner.query('commit')
  const read = (performance.now() - readAll) / 1000
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 50)
  const start = performance.now()
  const { fileId } = await signedIn.call<{ fileId: number }>('POST', '/api/v1/gateway/op-log/export', { body: {} })
  let file: { state: string; size: number; row_count: number } | undefined
  do {
    await new Promise((resolve) => setTimeout(resolve, 250))
    file = (await bench.owner.query('select state, size, row_count from export_file where id = $1', [fileId])).rows[0]
  } while (file?.state === 'inProgress')
  const seconds = (performance.now() - start) / 1000
  clearInterval(watch)
  console.log(`${machine()}\n${lines} lines, state ${file?.state}, ${file?.row_count} rows\n`)
  console.log(
    '| seconds | reading alone, s | ratio | file, MiB | extra memory at its peak, MiB |\n|---|---|---|---|---|',
  )
  console.log(
    `| ${figure(seconds)} | ${figure(read)} | ${figure(seconds / read, 2)} | ${figure(mib(Number(file?.size)), 0)} | ${figure(mib(peak - before), 0)} |`,
  )
} finally {
  await bench.stop()
}
