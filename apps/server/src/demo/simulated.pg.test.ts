import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { startServer } from '../test/server-process.ts'
import { temporaryFolder } from '../test/temporary-folder.ts'

// A whole server starts here.
vi.setConfig({ testTimeout: 180_000 })

const root = join(import.meta.dirname, '../../../..')

/** Ports that are free now; the server and the simulator must be told the same. */
const freePorts = async () => {
  const servers = [createServer(), createServer()]
  for (const server of servers) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const [http, mqtt] = servers.map((server) => String((server.address() as AddressInfo).port))
  for (const server of servers) await new Promise((resolve) => server.close(resolve))
  return { CAMPANILE_PORT: http ?? '', CAMPANILE_MQTT_PORT: mqtt ?? '' }
}
const simulate = (env: Record<string, string>, ...args: string[]) => {
  const child = spawn(process.execPath, [join(root, 'scripts/simulate.mjs'), ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk) => (said += chunk))
  return { child, said: () => said, ended: once(child, 'close') as Promise<[number | null]> }
}
const connected = async (address: string) =>
  Number(/^campanile_devices_connected (\d+)/m.exec(await (await fetch(`${address}/metrics`)).text())?.[1])
const stop = async (child: ChildProcess) => {
  if (child.exitCode === null) child.kill('SIGKILL')
}

test('devices live after one command with nothing at hand but a running server, end with Ctrl-C, and live again', async () => {
  const dataDir = join(await temporaryFolder(), 'data')
  const ports = await freePorts()
  const env = { CAMPANILE_DATA: dataDir, ...ports }
  const server = await startServer({ dataDir, env: ports })
  for (const scenario of ['load', 'living']) {
    const run = simulate(env, '--devices', '40', '--scenario', scenario)
    try {
      await expect.poll(() => connected(server.address), { timeout: 60_000, interval: 250 }).toBe(40)
      expect(run.said()).toContain('40 devices from SIM-00001')
      run.child.kill('SIGINT')
      // As npm passes it on.
      run.child.kill('SIGINT')
      expect((await run.ended)[0]).toBe(0)
    } finally {
      await stop(run.child)
    }
    expect(run.said()).toContain('devices have said goodbye')
    await expect.poll(() => connected(server.address), { timeout: 30_000, interval: 250 }).toBe(0)
  }
  expect((await stat(join(dataDir, 'simulated.jsonl'))).mode & 0o777).toBe(0o600)

  const wrong = simulate(env, '--devices', 'many')
  expect([(await wrong.ended)[0], wrong.said()]).toEqual([1, expect.stringContaining('a number from 1 to 50000')])
})

test('whoever has no server running is told what to do', async () => {
  const dataDir = join(await temporaryFolder(), 'data')
  const run = simulate({ CAMPANILE_DATA: dataDir }, '--devices', '5')
  expect([(await run.ended)[0], run.said()]).toEqual([1, expect.stringContaining('start one with npm start')])
})
