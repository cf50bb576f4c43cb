/**
 * A text (with its envelope 1 KiB) released to 10,000 devices that are there: accepted, all told, ended, in one wave and in three; against inserting
 * as many rows by hand. With `--page` (needs Chromium, `CHROMIUM`) somebody watches its page meanwhile, and what that page spends in
 * long tasks is told. `--devices 10000`
 */
import { execFileSync } from 'node:child_process'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { register, startFleet } from './fleet.ts'
import { adminPassword, figure, machine } from './installation.ts'
import { startProduct } from './product.ts'

const { values: asked } = parseArgs({
  options: { devices: { type: 'string', default: '10000' }, page: { type: 'boolean', default: false } },
})
const devices = Number(asked.devices)
const patienceMs = 300_000

if (asked.page)
  execFileSync(process.execPath, [fileURLToPath(new URL('../scripts/build.mjs', import.meta.url)), 'console'])
const product = await startProduct()
const fleet = startFleet()
const watch = async (id: number) => {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  })
  const answer = await fetch(`${product.url}/api/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: adminPassword }),
  })
  const { data } = (await answer.json()) as { data: object }
  const value = JSON.stringify(btoa(encodeURIComponent(JSON.stringify(data))))
  const localStorage = [{ name: 'campanile.session.current', value }]
  const storageState = { cookies: [], origins: [{ origin: product.url, localStorage }] }
  const context = await browser.newContext({
    baseURL: product.url,
    viewport: { width: 1440, height: 900 },
    storageState,
  })
  const page = await context.newPage()
  await page.addInitScript({
    content: `globalThis.long = []; new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) long.push(duration) }).observe({ type: 'longtask' })`,
  })
  await page.goto(`/release/detail/${id}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForTimeout(3_000)
  await page.evaluate('long.length = 0')
  return {
    longTasks: () => page.evaluate('long') as Promise<number[]>,
    says: (text: string) => page.getByText(text).first().waitFor({ timeout: patienceMs }),
    close: () => browser.close(),
  }
}

try {
  await register(product.owner, devices)
  await fleet.connect(product.mqttPort, devices, { listens: true })
  await sleep(2_000)
  const people = await product.signIn()
  const root = Number((await product.owner.query('select id from department where parent_id is null')).rows[0].id)
  const handBegan = performance.now()
  await product.owner.query(`begin;
    with task as (insert into device_task (command, department_id) select 'showPromotion', id from department where parent_id is null returning id)
    insert into command (task_id, device_id, sn, department_id, command, expires)
      select task.id, d.id, d.sn, d.department_id, 'showPromotion', now() from device d, task;
    rollback`)
  const byHand = performance.now() - handBegan

  const make = async (title: string, waves: object[]) => {
    const text = await people.call<{ id: number }>('POST', '/api/v3/device/promotion/create', {
      body: { title, text: '钟'.repeat(256), validUntil: '2999-01-01T00:00:00Z', departmentId: root },
    })
    const began = performance.now()
    const { id } = await people.call<{ id: number }>('POST', '/api/v3/release/create', {
      body: {
        kind: 'promotion',
        itemId: text.id,
        targets: [{ filter: {} }],
        mode: 'realTime',
        options: { waves, bakeMinutes: 0 },
      },
    })
    return { id, began, accepted: performance.now() - began }
  }
  const until = async (began: number, holds: () => Promise<boolean>) => {
    while (!(await holds())) {
      if (performance.now() - began > patienceMs) throw new Error('this takes too long')
      await sleep(50)
    }
    return (performance.now() - began) / 1000
  }
  const rowOf = async (id: number) =>
    (await product.owner.query('select state, succeeded from release where id = $1', [id])).rows[0]
  const isOver = (id: number) => async () => (await rowOf(id)).state === 'ended'

  const line = async (name: string, waves: object[], watched = false) => {
    const memory = product.memory().server
    let peak = memory
    const looking = setInterval(() => {
      peak = Math.max(peak, product.memory().server)
    }, 250)
    const given = async () => {
      const { commands, repeated } = await fleet.stand()
      return commands + repeated
    }
    const before = await given()
    const made = await make(name, waves)
    let { began } = made
    const { id, accepted } = made
    const page = watched ? await watch(id) : undefined
    if (watched) {
      await until(began, async () => Number((await rowOf(id)).succeeded) === 1)
      await people.call('POST', '/api/v3/release/skipWave', { body: { id } })
      began = performance.now()
    }
    const told = watched ? 0 : await until(began, async () => (await given()) - before >= devices)
    const over = await until(began, isOver(id))
    clearInterval(looking)
    const long = await page?.longTasks()
    await page?.close()
    const { succeeded } = await rowOf(id)
    const twice = (await given()) - before - devices
    const sum = long?.reduce((all, each) => all + each, 0)
    const worst = long?.reduce((most, each) => Math.max(most, each), 0)
    return `| ${name} | ${figure(accepted, 0)} | ${figure(byHand, 0)} | ${figure(accepted / byHand, 2)} | ${told ? figure(told) : ''} | ${figure(over)} | ${succeeded} | ${twice} | ${figure(peak - memory, 0)} | ${sum === undefined ? '' : `${figure(sum, 0)}, longest ${figure(worst ?? 0, 0)}`} |`
  }
  const lines = [
    await line('one wave', [{ percent: 100 }]),
    await line('1, a tenth, all', [{ devices: 1 }, { percent: 10 }, { percent: 100 }]),
  ]
  if (asked.page)
    lines.push(await line('all at once, watched', [{ devices: 1, bakeMinutes: 60 }, { percent: 100 }], true))
  console.log(`${machine()}, load ${figure(loadavg()[0] ?? 0)}\n${devices} devices\n`)
  console.log(
    '| waves | accepted, ms | rows by hand, ms | ratio | all told after, s | ended after, s | succeeded | told twice | extra memory, MiB | long tasks of the page, ms |\n|---|---|---|---|---|---|---|---|---|---|',
  )
  console.log(lines.join('\n'))
  await fleet.end()
} finally {
  await product.stop()
}
