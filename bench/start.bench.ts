/** A second start until it serves, and the memory of everything (server, PostgreSQL) half a minute later. Needs a build: `npm run build`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
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
/** What a file of a process says; nothing when the process has just ended. */
const told = (pid: number, file: string) => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
const parentOf = (pid: number) => Number(told(pid, 'stat').split(') ')[1]?.split(' ')[1])
const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(Number(name)) === pid)
    .map(Number)
/** Shared pages are counted once, by share: the sum over processes is what the machine really gives. */
const memory = (root: number): number =>
  Number(told(root, 'smaps_rollup').match(/^Pss:\s+(\d+)/m)?.[1] ?? 0) +
  childrenOf(root).reduce((sum, pid) => sum + memory(pid), 0)

const first = await start()
await stop(first.server)
const second = await start()
await new Promise((resolve) => setTimeout(resolve, 30_000))
const idle = memory(second.server.pid ?? 0) / 1024
await stop(second.server)
rmSync(dataDir, { recursive: true, force: true })
console.log(`${machine()}\n`)
console.log('| first start, s | second start, s | idle memory of everything, MiB |\n|---|---|---|')
console.log(`| ${figure(first.seconds)} | ${figure(second.seconds)} | ${figure(idle, 0)} |`)
