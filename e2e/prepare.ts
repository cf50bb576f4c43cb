import { execFileSync } from 'node:child_process'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { startServer } from './server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A data folder with the demonstration in it; its server is not running. */
    grown: string
    /** Where the one browser of all journeys is reached. */
    browser: string
  }
}

/**
 * The address bar keeps two pages of its own ready in every window, for as much work as ours, though nobody sees it here.
 * The other names are those that Playwright turns off: the last list counts.
 */
const unneeded = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'AimEnabled'],
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'LensOverlay'],
  ...['HttpsFirstBalancedModeAutoEnable', 'MediaRouter', 'PaintHolding', 'ThirdPartyStoragePartitioning'],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'PreconnectToSearch'],
]
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${unneeded.join()}`,
]
const build = fileURLToPath(new URL('../scripts/build.mjs', import.meta.url))

export default async ({ provide }: TestProject) => {
  // Journeys go through what is built, which must be what is written.
  execFileSync(process.execPath, [build], { stdio: 'inherit' })
  const dataDir = await mkdtemp(join(tmpdir(), 'campanile-grown-'))
  const { stop } = await startServer(dataDir, { CAMPANILE_DEMO: '1' })
  await stop()
  // Nothing in a journey survives the machine, so nothing waits for the disk.
  await appendFile(join(dataDir, 'postgres/postgresql.conf'), 'fsync = off\nfull_page_writes = off\n')
  provide('grown', dataDir)
  const browser = await chromium.launchServer({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: flags,
  })
  provide('browser', browser.wsEndpoint())
  return async () => {
    await browser.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}
