import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { arrive, heading, type Installation, install, openBrowser, type Person } from './stage.ts'

let browser: Browser
let place: Installation
let person: Person
beforeAll(async () => {
  browser = await openBrowser()
  place = await install()
  person = await arrive(browser, place.url, { as: 'harbour.admin' })
  await person.page.goto('/home')
})
afterAll(async () => {
  await browser?.close()
  await place?.stop()
})

const open = async (group: string, entry: string) => {
  const menu = person.page.getByRole('navigation', { name: 'Main menu' })
  const link = menu.getByRole('link', { name: entry, exact: true })
  if (!(await link.isVisible())) await menu.getByText(group, { exact: true }).click()
  await link.click()
}
const tab = (name: string) =>
  person.page.getByRole('navigation', { name: 'Open pages' }).getByRole('link', { name, exact: true })

describe('tabs', () => {
  it('keep filters, page and a half-filled form, also through a reload of the page', async () => {
    const { page } = person
    await open('System', 'Users')
    await heading(page, 'Users').waitFor()
    await page.getByPlaceholder('Login account').fill('retail')
    await page.getByRole('rowheader', { name: 'retail.admin' }).waitFor()
    expect(page.url()).toContain('search=retail')
    await open('Organisation', 'Organisations')
    await page.getByRole('button', { name: 'Add organisation' }).click()
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Half a name')
    await page.goBack()
    await heading(page, 'Users').waitFor()
    expect(await page.getByPlaceholder('Login account').inputValue()).toBe('retail')
    // Pages behind are updated only when there is time; that must not empty them either.
    await page.waitForTimeout(1_000)
    await page.goForward()
    expect(await page.getByRole('dialog').getByLabel('Name', { exact: true }).inputValue()).toBe('Half a name')
    page.once('dialog', (question) => void question.accept())
    await page.reload()
    await tab('Users').click()
    await page.getByRole('rowheader', { name: 'retail.admin' }).waitFor()
    expect(await page.getByPlaceholder('Login account').inputValue()).toBe('retail')
  })

  it('are fresh after closing, and clean when their menu entry is clicked', async () => {
    const { page } = person
    await page.getByRole('button', { name: 'Close Users' }).click()
    await open('System', 'Users')
    await page.getByRole('rowheader', { name: 'alice.moreau' }).waitFor()
    expect(await page.getByPlaceholder('Login account').inputValue()).toBe('')
    await page.getByPlaceholder('Login account').fill('school')
    await page.getByRole('rowheader', { name: 'school.admin' }).waitFor()
    await open('System', 'Users')
    await page.getByRole('rowheader', { name: 'alice.moreau' }).waitFor()
    expect(page.url()).not.toContain('search=')
  })
})

describe('the palette', () => {
  const palette = () => person.page.getByRole('dialog', { name: 'Search and commands' })
  const field = () => palette().getByRole('combobox')
  const option = (name: string | RegExp) => palette().getByRole('option', { name })
  const look = async (text: string) => {
    await person.page.keyboard.press('Control+k')
    await field().fill(text)
  }

  it('finds a device by a part of its number and asks the device for what a letter says, with the same preview', async () => {
    const { page } = person
    await look('2402001')
    await option(/^\S*2402001 /)
      .first()
      .waitFor()
    const first = await palette().locator('[aria-selected=true] .palette-name').innerText()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('m')
    const dialog = page.getByRole('dialog', { name: `Message · ${first}` })
    await dialog.waitFor()
    expect(await palette().count()).toBe(0)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'hidden' })
  })

  it('takes a verb before the name, and leaves the letters before it leaves the field', async () => {
    const { page } = person
    await look('restart 2402001')
    await option(/^Restart device · \S*2402001/)
      .first()
      .click()
    const dialog = page.getByRole('dialog', { name: /^Restart device · \S*2402001$/ })
    await dialog.waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await look('2402001')
    await option(/^\S*2402001 /)
      .first()
      .waitFor()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Escape')
    expect(await field().inputValue()).toBe('2402001')
    await page.keyboard.press('Escape')
    await palette().waitFor({ state: 'hidden' })
  })

  it('leads to people, to the list of all it has found, and to a setting', async () => {
    const { page } = person
    await look('retail.admin')
    await option(/^retail\.admin/)
      .first()
      .click()
    await page.getByRole('rowheader', { name: 'retail.admin' }).waitFor()
    await look('2402')
    await option(/^Devices, Serial number: 2402/).click()
    await page.waitForURL((url) => url.pathname === '/device/list' && url.search === '?sn=2402')
    await look('compact')
    await option(/Compact/).click()
    await page.locator('html[data-density=compact]').waitFor()
    expect(person.complaints).toEqual([])
  })
})
