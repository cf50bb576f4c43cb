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

type Language = 'zh-CN' | 'zh-TW' | 'en'
const spoken = { 'zh-CN': ['简体中文', 'zh-Hans'], 'zh-TW': ['繁體中文', 'zh-Hant'], en: ['English', 'en'] } as const

const speak = async (page: Page, language: Language) => {
  const [name, lang] = spoken[language]
  const choice = page.getByLabel(/^(Language|语言|語言)$/)
  if ((await choice.evaluate(({ tagName }) => tagName)) === 'SELECT') await choice.selectOption(language)
  else {
    await choice.click()
    await page.getByRole('menuitem', { name }).click()
  }
  await page.locator(`html[lang=${lang}]`).waitFor()
}

const look = async ({ page, complaints }: Person, path: string, language: Language) => {
  const text = await page.locator('body').innerText()
  const where = `${path} in ${language}`
  expect(
    (text.match(untranslated) ?? []).filter((key) => !harmless.test(key)),
    `${where} shows text keys`,
  ).toEqual([])
  expect(text, `${where} is not available`).not.toMatch(/not available in this version/)
  expect(complaints, `${where} complains`).toEqual([])
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(wide, `${where} scrolls sideways`).toBeLessThanOrEqual(0)
}

/**
 * A screen is loaded once and then changed as a person changes it. English comes last: it stands in for a text that
 * another language lacks, once it is there.
 */
const walk = async (person: Person, path: string): Promise<string[]> => {
  const { page, complaints } = person
  complaints.length = 0
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('networkidle')
  await look(person, path, 'zh-CN')
  // What is around a screen is the same around all, and colours are all that differs between light and dark.
  const looked = path === screens[0] ? 'html' : 'main'
  const inDark = await barriers(page, looked, ['color-contrast'])

  await speak(page, 'zh-TW')
  await page.setViewportSize({ width: 390, height: 844 })
  await look(person, path, 'zh-TW')

  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await speak(page, 'en')
  await look(person, path, 'en')
  const inLight = await barriers(page, looked)
  return [...inDark, ...inLight].map((barrier) => `${path}: ${barrier}`)
}

// Two people, each with every other screen: part of the time a screen is waited for until it has fallen silent.
describe.concurrent.each([0, 1])('every second screen from %i', (from) => {
  it('opens without a complaint, an untranslated text, a barrier or a sideways scroll', {
    timeout: 300_000,
  }, async () => {
    const person = await arrive(browser, place.url, { as: 'admin', password: adminPassword })
    await person.context.addInitScript({ path: axe })
    await person.context.addInitScript(() => localStorage.setItem('campanile.language', '"zh-CN"'))
    const found: string[] = []
    for (const [nth, path] of screens.entries()) if (nth % 2 === from) found.push(...(await walk(person, path)))
    expect(found).toEqual([])
    await person.context.close()
  })
})
