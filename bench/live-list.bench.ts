/**
 * The device list in a browser with 100 rows whose values change, on a processor four times slower: what an idle page spends
 * in long tasks, how long a tick takes to be seen, and how long a typed search and a chosen filter take beside the server's
 * answer. Needs Chromium (`CHROMIUM`). `--rate 50 --runs 5`
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium, type Page } from 'playwright-core'
import { register, startFleet } from './fleet.ts'
import { adminPassword, figure, machine, percentile } from './installation.ts'
import { startProduct } from './product.ts'

const { values: options } = parseArgs({
  options: { rate: { type: 'string', default: '50' }, runs: { type: 'string', default: '5' } },
})
const rate = Number(options.rate)
const runs = Number(options.runs)
const speaking = 100
/** The list waits so long for the next key (`FilterBar.tsx`): a rest it takes on purpose, not work. */
const typingPauseMs = 50
const slower = 4

/** What the page measures by itself. `seen` answers when the first row is called so and has been painted. */
const measuring = () => {
  const held = { longTasks: 0, lastKey: 0 }
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) held.longTasks += duration
  }).observe({ type: 'longtask' })
  // When the key or the button was pressed, not when the page came round to it; a tick is told as input once more, after
  // everything that listens to its click has been done.
  const heard = ({ type, target, timeStamp }: Event) => {
    if (type === 'click' || !(target instanceof HTMLInputElement && target.type === 'checkbox'))
      held.lastKey = timeStamp
  }
  addEventListener('input', heard, true)
  addEventListener('click', heard, true)
  const painted = () =>
    new Promise<number>((resolve) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => resolve(performance.now())
        port2.postMessage(null)
      }),
    )
  const seen = (first: string) =>
    new Promise<number>((resolve) => {
      const look = () => {
        if (document.querySelector('tbody th')?.textContent !== first || document.querySelector('tbody.dimmed')) return
        watch.disconnect()
        void painted().then(resolve)
      }
      const watch = new MutationObserver(look)
      watch.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
      look()
    })
  Object.assign(globalThis, { held, painted, seen })
}
declare const held: { longTasks: number; lastKey: number }
declare const painted: () => Promise<number>
declare const seen: (first: string) => Promise<number>

const signedIn = async (url: string) => {
  const answer = await fetch(`${url}/api/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: adminPassword }),
  })
  const { data } = (await answer.json()) as { data: object }
  const value = JSON.stringify(btoa(encodeURIComponent(JSON.stringify(data))))
  return { cookies: [], origins: [{ origin: url, localStorage: [{ name: 'campanile.session.current', value }] }] }
}

/** From the last key or click to the painted row, and what of it the server took to answer. */
const timeTo = async (page: Page, first: string, act: () => Promise<unknown>) => {
  await page.evaluate(() => performance.clearResourceTimings())
  const arrived = page.evaluate((name) => seen(name), first)
  // Told by what is awaited below.
  arrived.catch(() => undefined)
  await act()
  const at = await arrived
  return page.evaluate((end) => {
    const answers = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const last = answers.filter(({ name }) => name.includes('/device/basic/list?')).at(-1)
    return { whole: end - held.lastKey, answer: last ? last.responseEnd - last.startTime : 0 }
  }, at)
}
const beyond = ({ whole, answer }: { whole: number; answer: number }) => whole - answer

execFileSync(process.execPath, [fileURLToPath(new URL('../scripts/build.mjs', import.meta.url)), 'console'])
const product = await startProduct()
const fleet = startFleet()
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
})
try {
  await register(product.owner, 2_000)
  await fleet.connect(product.mqttPort, speaking)
  const context = await browser.newContext({
    baseURL: product.url,
    viewport: { width: 1440, height: 900 },
    storageState: await signedIn(product.url),
  })
  const page = await context.newPage()
  await page.addInitScript({ content: `const __name = (it) => it; (${measuring})()` })
  await page.goto(`/device/list?pageSize=${speaking}`)
  await page.getByRole('rowheader', { name: 'BENCH-0000001' }).waitFor()
  await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: slower })

  const said = fleet.publish(15, { rate })
  await page.waitForTimeout(3_000)
  await page.evaluate(() => (held.longTasks = 0))
  await page.waitForTimeout(10_000)
  const longTasks = await page.evaluate(() => held.longTasks)
  await said
  console.error(`long tasks ${longTasks}`)

  const more = fleet.publish(15, { rate })
  const ticks: number[] = []
  for (let run = 0; run < 3 * runs; run += 1) {
    ticks.push(
      await page.evaluate(async (at) => {
        const box = document.querySelectorAll<HTMLInputElement>('tbody .tick-box input')[at]
        const start = performance.now()
        box?.click()
        return (await painted()) - start
      }, run % 10),
    )
    await page.waitForTimeout(100)
  }
  await more
  await page.getByRole('button', { name: /^Clear/ }).click()

  const searches: number[] = []
  const filters: number[] = []
  const search = page.getByRole('textbox', { name: 'Serial number' })
  for (let run = 0; run < runs; run += 1) {
    const name = `BENCH-0000${200 + run}`
    const typed = await timeTo(page, name, () => search.pressSequentially(name, { delay: 20 }))
    searches.push(beyond(typed) - typingPauseMs)
    await timeTo(page, 'BENCH-0000001', () => search.fill(''))
    await page.locator('.filter-button').filter({ hasText: 'IoT status' }).click()
    const offline = page.getByRole('checkbox', { name: 'Offline' })
    await offline.waitFor()
    filters.push(beyond(await timeTo(page, 'BENCH-0000101', () => offline.click())))
    await timeTo(page, 'BENCH-0000001', () => offline.click())
    await page.getByRole('heading', { level: 1 }).click()
    await offline.waitFor({ state: 'hidden' })
    console.error(`${run + 1} of ${runs}: search ${searches.at(-1)}, filter ${filters.at(-1)}`)
  }
  const sorted = (times: number[]) => times.sort((a, b) => a - b)
  const median = (times: number[]) => figure(percentile(sorted(times), 0.5), 0)
  console.log(`${machine()}, ${slower}× slower, ${rate} reports a second\n`)
  console.log(
    '| long tasks of 10 s, ms | tick, ms | 95th | search beyond the answer, ms | filter, ms |\n|---|---|---|---|---|',
  )
  console.log(
    `| ${figure(longTasks, 0)} | ${median(ticks)} | ${figure(percentile(ticks, 0.95), 0)} | ${median(searches)} | ${median(filters)} |`,
  )
} finally {
  await browser.close()
  await fleet.end()
  await product.stop()
}
