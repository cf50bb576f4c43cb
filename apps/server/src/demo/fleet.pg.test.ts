import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { device, deviceActive, deviceStatistics, type Row, type Statistics } from '@campanile/contract'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { startServer } from '../test/server-process.ts'
import { plan } from './fleet-plan.ts'
import { simulatorScript } from './simulator.ts'

// Two whole servers with their fleets, the first with a month to make up.
vi.setConfig({ testTimeout: 300_000 })

let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'campanile-test-'))
  return () => rm(dataDir, { recursive: true })
})

const password = 'Harbour-2026!'
const start = async () => {
  const server = await startServer({ dataDir, env: { CAMPANILE_DEMO: '1', CAMPANILE_CAPTCHA: 'off' } })
  const call = async (path: string, init: RequestInit = {}) =>
    (await (await fetch(`${server.address}${path}`, init)).json()) as { data: never }
  const { token } = (
    await call('/api/v1/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ uuid: '', code: '', username: 'harbour.admin', password }),
    })
  ).data as { token: string }
  const get = async <D>(path: string): Promise<D> => (await call(path, { headers: { SessionId: token } })).data
  return {
    ...server,
    activity: () => get<{ rows: { time: string; active: number }[] }>(deviceActive.path).then(({ rows }) => rows),
    statistics: () => get<Statistics>(deviceStatistics.path),
    devices: () =>
      get<{ rows: Row<typeof device>[] }>(`${device.wire.path}/list?pageSize=199`).then(({ rows }) => rows),
  }
}

/** Simulators whose parent is this process, or was. */
const simulators = async (parent: number | undefined): Promise<string[]> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      const [command, stat] = await Promise.all(
        ['cmdline', 'stat'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
      )
      const isOurs = command?.includes(simulatorScript) && !stat?.includes(') Z ')
      return isOurs && (!parent || stat?.includes(` ${parent} `)) ? [pid] : []
    }),
  )
  return found.flat()
}

const living = plan.filter(({ boxed, goneDays }) => !boxed && goneDays === undefined).length

describe('the demonstration’s devices', () => {
  it('are three hundred of all sixteen types, each serial once', () => {
    expect(plan).toHaveLength(300)
    expect(new Set(plan.map(({ sn }) => sn)).size).toBe(300)
    expect([...new Set(plan.map(({ type }) => type))].sort((a, b) => a - b)).toEqual(
      Array.from({ length: 16 }, (_, at) => at + 1),
    )
  })

  it('come alive by themselves, end with the server even after kill -9, and are the same the next time', async () => {
    const first = await start()
    await expect
      .poll(async () => (({ onlineNum, flappingNum }) => onlineNum + flappingNum)(await first.statistics()), {
        timeout: 120_000,
      })
      .toBe(living)
    expect(await first.statistics()).toMatchObject({
      totalNum: 300,
      warehouse: plan.filter((each) => each.boxed).length,
    })
    // A month that was never there: somebody on every day of it, and never more than there are.
    const days = await first.activity()
    expect(days).toHaveLength(30)
    expect(days.filter(({ active }) => active < living / 2 || active > 280)).toEqual([])
    const before = (await first.devices()).map(({ id }) => id)
    const [simulator] = await simulators(first.child.pid)
    expect(simulator).toBeDefined()

    await first.end('SIGKILL')
    await expect
      .poll(async () => (await simulators(undefined)).includes(simulator ?? ''), { timeout: 20_000 })
      .toBe(false)

    const second = await start()
    await expect.poll(async () => (await second.statistics()).onlineToday, { timeout: 120_000 }).toBe(living)
    expect((await second.statistics()).totalNum).toBe(300)
    expect((await second.devices()).map(({ id }) => id)).toEqual(before)

    const [next] = await simulators(second.child.pid)
    expect(await second.end('SIGTERM')).toEqual({ code: 0, signal: null })
    expect(await simulators(undefined)).not.toContain(next)
  })
})
