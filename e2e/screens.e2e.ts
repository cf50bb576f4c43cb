import { createRequire } from 'node:module'
import { type NavigationEntry, navigationTree } from '@campanile/contract'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminPassword } from './server.ts'
import { arrive, heading, type Installation, install, openBrowser, type Person, signIn } from './stage.ts'

let browser: Browser
let place: Installation
beforeAll(async () => {
  browser = await openBrowser()
  place = await install({ as: 'living' })
})
afterAll(async () => {
  await browser?.close()
  await place?.stop()
})

const urls = (entries: readonly NavigationEntry[]): string[] =>
  entries.flatMap(({ url, children }) => [...(url ? [url] : []), ...urls(children)])
/** Every screen the menu ships, whatever is added to it later, and the pages outside it. */
const screens = [...new Set([...urls(navigationTree), '/personal', '/personal/profile', '/404', '/401', '/privacy'])]
/** A key that was shown instead of its text: words joined by dots, as in `user.field.name`. */
const untranslated = /\b[a-z][A-Za-z]+(\.[A-Za-z0-9]+){2,}\b/g
const harmless = /^(harbour|retail|logistics|school|org)\./

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
declare const window: { axe: { run(options: object): Promise<AxeResults> } }

/** What stands in the way of somebody who does not see, or not well, or has no mouse. */
const barriers = async (page: Page): Promise<string[]> => {
  const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ['violations'] }))
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`))
}

type Look = 'light' | 'dark' | undefined

const walk = async ({ page, complaints }: Pick<Person, 'page' | 'complaints'>, path: string, look: Look) => {
  complaints.length = 0
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('networkidle')
  const text = await page.locator('body').innerText()
  expect(
    (text.match(untranslated) ?? []).filter((key) => !harmless.test(key)),
    `${path} shows text keys`,
  ).toEqual([])
  expect(text, `${path} is not available`).not.toMatch(/not available in this version/)
  expect(complaints, `${path} complains`).toEqual([])
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(wide, `${path} scrolls sideways`).toBeLessThanOrEqual(0)
  return look ? (await barriers(page)).map((barrier) => `${path} in ${look}: ${barrier}`) : []
}

describe('for somebody who asked for less motion', () => {
  it('a filter opens below its button', async () => {
    const person = await arrive(browser, place.url)
    await person.page.emulateMedia({ reducedMotion: 'reduce' })
    await signIn(person, 'admin', adminPassword)
    await person.page.goto('/org/list')
    const button = person.page.getByRole('search').getByRole('button', { name: 'Type' })
    await button.click()
    const choices = person.page.getByRole('tooltip')
    await choices.waitFor()
    const [above, below] = [await button.boundingBox(), await choices.boundingBox()]
    expect(below?.x).toBeCloseTo(above?.x ?? Number.NaN, 0)
    expect((below?.y ?? 0) - (above?.y ?? 0)).toBeGreaterThan(0)
    await person.context.close()
  })
})

describe('another language', () => {
  it('is there at once and whole, on the sign-in page and on open screens, without a reload', async () => {
    const person = await arrive(browser, place.url)
    const { page } = person
    await page.goto('/login')
    await page.getByRole('button', { name: '简体中文' }).click()
    await page.getByRole('button', { name: '登录', exact: true }).waitFor()
    await page.getByRole('button', { name: 'English' }).click()
    await signIn(person, 'admin', adminPassword)
    await page.goto('/device/list')
    await heading(page, 'Devices').waitFor()
    await page.evaluate(() => Object.assign(globalThis, { stayed: true }))
    await page.getByRole('button', { name: 'Language' }).click()
    await page.getByRole('menuitem', { name: '繁體中文' }).click()
    await heading(page, '裝置').waitFor()
    await page.getByRole('columnheader', { name: '序號' }).waitFor()
    const text = await page.locator('body').innerText()
    expect((text.match(untranslated) ?? []).filter((key) => !harmless.test(key))).toEqual([])
    expect(await page.evaluate(() => 'stayed' in globalThis)).toBe(true)
    // A room that was not open yet comes in the language that was chosen.
    await page.goto('/org/list')
    await heading(page, '組織').waitFor()
    await person.context.close()
  })
})

/** A second window of the same person. */
const another = async (context: BrowserContext): Promise<Pick<Person, 'page' | 'complaints'>> => {
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  return { page, complaints }
}

// Three people with two windows each: most of the time a screen is waited for until it has fallen silent.
describe.concurrent.each([
  ['en', 1440, 'light'],
  ['zh-CN', 1440, 'dark'],
  ['zh-TW', 390, undefined],
] as const)('every screen in %s at %i', (language, width, look) => {
  it('opens without a complaint, an untranslated text, a barrier or a sideways scroll', {
    timeout: 300_000,
  }, async () => {
    const person = await arrive(browser, place.url, width, width === 390 ? 844 : 900)
    await signIn(person, 'admin', adminPassword).catch(async (error) => {
      // On a narrow screen the menu is behind a button; the first screen is enough.
      if (width > 390) throw error
    })
    await person.page.evaluate((chosen) => localStorage.setItem('campanile.language', JSON.stringify(chosen)), language)
    if (look) await person.context.addInitScript({ path: axe })
    const windows = [person, await another(person.context)]
    const found = await Promise.all(
      windows.map(async (window, at) => {
        const own: string[] = []
        await window.page.emulateMedia({ colorScheme: look ?? 'light', reducedMotion: 'reduce' })
        for (const [nth, path] of screens.entries())
          if (nth % windows.length === at) own.push(...(await walk(window, path, look)))
        return own
      }),
    )
    expect(found.flat()).toEqual([])
    expect(await person.page.evaluate(() => document.documentElement.lang)).toMatch(language === 'en' ? /^en/ : /^zh/)
    await person.context.close()
  })
})
