/** A second start until it serves, and the memory of everything (server, PostgreSQL) half a minute later. Needs a build: `npm run build`. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { figure, machine } from './installation.ts'

const entry = fileURLToPath(new URL('../apps/server/dist/main.js', import.meta.url))
const dataDir = mkdtempSync(join(tmpdir(), 'campanile-start-'))

const start = async () => {
  const began = performance.now()
  const server = spawn(process.execPath, [entry], {
    env: { ...process.env, CAMPANILE_DATA: dataDir, CAMPANILE_PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  for await (const chunk of server.stdout) if (String(chunk).includes('ready at')) break
  return { server, seconds: (performance.now() - began) / 1000 }
}
const stop = async (server: Awaited<ReturnType<typeof start>>['server']) => {
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  await ended
}
/** Shared pages are counted once, by share: the sum over processes is what the machine really gives. */
const memory = (root: number): number => {
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(root)], { encoding: 'utf8' }).trim()
  const pss = Number(readFileSync(`/proc/${root}/smaps_rollup`, 'utf8').match(/^Pss:\s+(\d+)/m)?.[1] ?? 0)
  return (
    pss +
    children
      .split('\n')
      .filter(Boolean)
      .reduce((sum, pid) => sum + memory(Number(pid)), 0)
  )
}
const pids = (root: number) => {
  try {
    return memory(root)
  } catch {
    return 0
  }
}

const first = await start()
await stop(first.server)
const second = await start()
await new Promise((resolve) => setTimeout(resolve, 30_000))
const idle = pids(second.server.pid ?? 0) / 1024
await stop(second.server)
rmSync(dataDir, { recursive: true, force: true })
console.log(`${machine()}\n`)
console.log('| first start, s | second start, s | idle memory of everything, MiB |\n|---|---|---|')
console.log(`| ${figure(first.seconds)} | ${figure(second.seconds)} | ${figure(idle, 0)} |`)
