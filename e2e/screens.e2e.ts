import { createRequire } from 'node:module'
import { type NavigationEntry, navigationTree } from '@campanile/contract'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
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
declare const window: { axe: { run(within: string, options: object): Promise<AxeResults> } }

/** What stands in the way of somebody who does not see, or not well, or has no mouse. */
const barriers = async (page: Page, within: string, rules?: readonly string[]): Promise<string[]> => {
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
  const { violations } = await page.evaluate(([where, how]) => window.axe.run(where, how), [within, options] as const)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`))
}

describe('for somebody who asked for less motion', () => {
  it('a filter opens below its button', async () => {
    const person = await arrive(browser, place.url, { as: 'admin', password: adminPassword })
    await person.page.emulateMedia({ reducedMotion: 'reduce' })
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
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Enter your username').waitFor()
    await page.getByRole('button', { name: '简体中文' }).click()
    await page.getByRole('button', { name: '登录', exact: true }).waitFor()
    // What was refused before is said again.
    await page.getByText('请输入用户名').waitFor()
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
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

/** As somebody sees a screen: a wide page, light and then dark, and a dark phone in another language. */
const sights = [
  { language: 'en', lang: 'en', width: 1440, height: 900, axe: true },
  { language: 'zh-TW', lang: 'zh-Hant', width: 390, height: 844, axe: false },
] as const

/** Counts what the page is waiting for, so that a screen is looked at as soon as it has fallen silent. */
const countAnswers = () => {
  const ask = globalThis.fetch
  Object.assign(globalThis, { awaited: 0 })
  const counts = globalThis as unknown as { awaited: number }
  globalThis.fetch = async (...question) => {
    counts.awaited += 1
    try {
      return await ask(...question)
    } finally {
      // What is done with the answer, another question perhaps, comes first.
      setTimeout(() => (counts.awaited -= 1), 50)
    }
  }
}
declare const awaited: number

/** Within the page, as a link does it: loading the whole console anew for every screen would show nothing more. */
const move = async (page: Page, path: string) => {
  await page.evaluate((to) => {
    for (const left of document.querySelectorAll('h1')) left.dataset.left = ''
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: {} }))
  }, path)
  await page.locator('h1:not([data-left]):visible').first().waitFor()
  await page.waitForFunction(() => awaited === 0)
}

/** As when evening comes: the page has been drawn anew before it is looked at. */
const turn = async (page: Page, colorScheme: 'dark' | 'light') => {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-theme=${colorScheme}]`).waitFor()
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
}

const look = async ({ page, complaints }: Person, where: string) => {
  const text = await page.locator('body').innerText()
  expect(
    (text.match(untranslated) ?? []).filter((key) => !harmless.test(key)),
    `${where} shows text keys`,
  ).toEqual([])
  expect(text, `${where} is not available`).not.toMatch(/not available in this version/)
  expect(complaints, `${where} complains`).toEqual([])
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(wide, `${where} scrolls sideways`).toBeLessThanOrEqual(0)
}

// Two people at once: part of the time a screen is waited for.
describe.concurrent.each(sights)('every screen in $language, $width px wide', (sight) => {
  it('opens without a complaint, an untranslated text, a barrier or a sideways scroll', {
    timeout: 600_000,
  }, async () => {
    const { language, lang, width, height } = sight
    const person = await arrive(browser, place.url, { as: 'admin', password: adminPassword, width, height })
    const { page, context } = person
    if (sight.axe) await context.addInitScript({ path: axe })
    await context.addInitScript(countAnswers)
    await context.addInitScript((chosen) => {
      localStorage.setItem('campanile.language', JSON.stringify(chosen))
      // A page that has been left is gone: those behind would be drawn along with every one in front.
      localStorage.setItem('campanile.settings', JSON.stringify({ tabs: false }))
    }, language)
    await page.emulateMedia({ colorScheme: sight.axe ? 'light' : 'dark' })
    await page.goto('/personal/profile')
    await page.locator(`html[lang=${lang}]`).waitFor()
    await heading(page, '').first().waitFor()
    const found: string[] = []
    for (const path of screens) {
      await move(page, path)
      await look(person, `${path} in ${language}`)
      if (!sight.axe) continue
      // What is around a screen is the same around all.
      const looked = path === screens[0] ? 'html' : 'main'
      for (const barrier of await barriers(page, looked)) found.push(`${path}: ${barrier}`)
      await turn(page, 'dark')
      for (const barrier of await barriers(page, looked, ['color-contrast'])) found.push(`${path}, dark: ${barrier}`)
      await turn(page, 'light')
    }
    expect(found).toEqual([])
    await context.close()
  })
})
