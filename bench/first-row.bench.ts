/**
 * From the click on "Sign in" to the first device row and to the first figures of home, in Chromium with an empty cache,
 * at the machine's own speed and with its processor four times as slow. Needs a build and Chromium:
 * `npm run build && CHROMIUM=/usr/bin/chromium npx tsx bench/first-row.bench.ts --runs 5 --typing 2500`
 */
import { parseArgs } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { deviceRows } from './device-rows.ts'
import { adminPassword, figure, machine, percentile } from './installation.ts'
import { startProduct } from './product.ts'

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    devices: { type: 'string', default: '5000' },
    /** How long somebody takes to type a name and a password. */
    typing: { type: 'string', default: '2500' },
  },
})
const runs = Number(options.runs)

const places = [
  { name: 'first device row', path: '/device/list', shows: '.list-frame tbody tr a[href]' },
  { name: 'home', path: '/home', shows: '.page-title' },
]

interface Run {
  readonly usable: number
  readonly shell: number
  readonly shown: number
  readonly longest: number
}

/** What the page tells of itself. */
declare const told: Record<'longest' | 'clicked' | 'shell' | 'shown', number>

/** As text, because what is compiled here names functions in a way that no page knows. */
const watch = (selector: string) => `{
  const told = (window.told = { longest: 0, clicked: 0, shell: 0, shown: 0 })
  new PerformanceObserver((list) => {
    for (const task of list.getEntries())
      if (told.clicked > 0 && task.startTime + task.duration > told.clicked)
        told.longest = Math.max(told.longest, task.duration)
  }).observe({ type: 'longtask', buffered: true })
  addEventListener('submit', () => (told.clicked = performance.now()), true)
  const look = () => {
    if (told.clicked > 0) {
      if (told.shell === 0 && document.querySelector('.shell')) told.shell = performance.now()
      if (document.querySelector(${JSON.stringify(selector)})) told.shown = performance.now()
    }
    if (told.shown === 0) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}`

const measure = async (
  browser: Browser,
  url: string,
  slower: number,
  { path, shows }: (typeof places)[number],
): Promise<Run> => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slower })
  await page.addInitScript(watch(shows))
  await page.goto(`${url}/login?redirect=${path}`)
  const name = page.getByLabel('Username')
  await name.waitFor()
  const usable = await page.evaluate(() => performance.now())
  await name.fill('admin')
  await page.waitForTimeout(Number(options.typing))
  await page.getByLabel('Password', { exact: true }).fill(adminPassword)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForFunction(() => told.shown > 0, undefined, { timeout: 60_000 })
  // A task is told of when it is over.
  await page.waitForTimeout(500)
  const times = await page.evaluate(() => told)
  await context.close()
  return { usable, shell: times.shell - times.clicked, shown: times.shown - times.clicked, longest: times.longest }
}

const product = await startProduct()
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
})
try {
  for (const statement of deviceRows(Number(options.devices))) await product.owner.query(statement)
  console.log(`${machine()}\n${options.devices} devices, ${runs} runs each, median (worst)\n`)
  console.log('| what | slower | page usable ms | shell ms | shown ms | longest task ms |\n|---|---|---|---|---|---|')
  for (const place of places)
    for (const slower of [1, 4]) {
      const measured: Run[] = []
      for (let run = 0; run < runs; run += 1) measured.push(await measure(browser, product.url, slower, place))
      const cell = (read: (run: Run) => number) => {
        const sorted = measured.map(read).sort((a, b) => a - b)
        return `${figure(percentile(sorted, 0.5), 0)} (${figure(sorted.at(-1) ?? 0, 0)})`
      }
      console.log(
        `| ${place.name} | ${slower}× | ${cell((run) => run.usable)} | ${cell((run) => run.shell)} | ${cell((run) => run.shown)} | ${cell((run) => run.longest)} |`,
      )
    }
} finally {
  await browser.close()
  await product.stop()
}
