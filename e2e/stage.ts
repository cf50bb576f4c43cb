import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import pg from 'pg'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { inject } from 'vitest'
import { joinEmbedded } from '../apps/server/src/platform/postgres/index.ts'
import { loadSecrets } from '../apps/server/src/platform/secrets.ts'
import { startServer } from './server.ts'

const run = promisify(execFile)

export interface Installation {
  readonly url: string
  readonly dataDir: string
  /** The owner's connection: for making things old, or looking at what no screen shows. */
  readonly database: pg.Client
  stop(): Promise<void>
}

interface Setting {
  /** `demo`: with the demonstration's organisations and devices. `living`: and its devices live. `new`: empty. */
  readonly as?: 'demo' | 'living' | 'new'
  readonly env?: Readonly<Record<string, string>>
}

/** A whole installation in a folder of its own: the built server and its PostgreSQL. */
export const install = async ({ as = 'demo', env = {} }: Setting = {}): Promise<Installation> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'campanile-e2e-'))
  // The demonstration is grown once for all journeys (prepare.ts); each works on a copy of its own.
  if (as !== 'new') await run('cp', ['-a', `${inject('grown')}/.`, dataDir])
  const { url, stop } = await startServer(dataDir, { CAMPANILE_DEMO: as === 'living' ? '1' : '0', ...env })
  const database = new pg.Client(joinEmbedded(dataDir, await loadSecrets(dataDir)).owner)
  await database.connect()
  return {
    url,
    dataDir,
    database,
    stop: async () => {
      await database.end()
      await stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The one browser of all journeys (prepare.ts); each person has their own context in it. Closing ends this file's only. */
export const openBrowser = (): Promise<Browser> => chromium.connect(inject('browser'))

/** A person at a browser of their own; what the page complains about on its console fails the test that reads `complaints`. */
export interface Person {
  readonly page: Page
  readonly context: BrowserContext
  readonly complaints: string[]
}

interface Arrival {
  readonly width?: number
  readonly height?: number
  /** Somebody who has signed in already. Only journeys about signing in go through its page. */
  readonly as?: string
  readonly password?: string
}

/** Not on any page yet. */
export const arrive = async (
  browser: Browser,
  url: string,
  { width = 1440, height = 900, as, password }: Arrival = {},
): Promise<Person> => {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height },
    acceptDownloads: true,
    // Nobody looks at what moves, and drawing it takes as much of the machine as all the rest.
    reducedMotion: 'reduce',
    ...(as && { storageState: await signedIn(url, as, password) }),
  })
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  return { page, context, complaints }
}

/** What the console leaves in a browser when somebody has signed in. */
const signedIn = async (url: string, username: string, password = demoPassword) => {
  const answer = await fetch(`${url}/api/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  const { code, data } = (await answer.json()) as { code: number; data: object }
  if (code !== 100000) throw new Error(`${username} could not sign in: ${code}`)
  const value = JSON.stringify(btoa(encodeURIComponent(JSON.stringify(data))))
  return { cookies: [], origins: [{ origin: url, localStorage: [{ name: 'campanile.session.current', value }] }] }
}

export const demoPassword = 'Harbour-2026!'

export const fillSignIn = async (page: Page, username: string, password: string) => {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** From the sign-in page to the first screen. */
export const signIn = async ({ page }: Person, username: string, password = demoPassword) => {
  await page.goto('/login')
  await fillSignIn(page, username, password)
  await page.waitForURL((url) => url.pathname === '/home')
  await page.getByRole('navigation', { name: 'Main menu' }).waitFor()
}

/** The file that what is done on the page brings. */
export const saved = async (page: Page, act: () => Promise<unknown>): Promise<Buffer> => {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  return buffer(await download.createReadStream())
}

export const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

/** What somebody types on a device and leaves running; ends with all it started. */
export const typed = (commands: string): (() => void) => {
  const shell = spawn('sh', ['-c', commands], { detached: true, stdio: 'ignore' })
  return () => {
    try {
      if (shell.pid !== undefined) process.kill(-shell.pid)
    } catch {
      // It has ended by itself.
    }
  }
}

/** What is done with a list as a whole stands in the menu of its title line. */
export const chooseMore = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}
