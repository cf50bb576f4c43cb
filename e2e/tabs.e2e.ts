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

const open = async (area: string, entry: string) => {
  const menu = person.page.getByRole('navigation', { name: 'Main menu' })
  const link = menu.getByRole('link', { name: entry, exact: true })
  if (!(await link.isVisible())) await menu.getByRole('button', { name: area, exact: true }).click()
  await link.click()
}
const tab = (name: string) =>
  person.page.getByRole('navigation', { name: 'Open pages' }).getByRole('link', { name, exact: true })

describe('tabs', () => {
  it('keep filters, page and a half-filled form, also through a reload of the page', async () => {
    const { page } = person
    await open('Admin', 'Users')
    await heading(page, 'Users').waitFor()
    await page.getByPlaceholder('Login account').fill('retail')
    await page.getByRole('rowheader', { name: 'retail.admin' }).waitFor()
    expect(page.url()).toContain('username=retail')
    await open('People & school', 'Organisations')
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
    await open('Admin', 'Users')
    await page.getByRole('rowheader', { name: 'alice.moreau' }).waitFor()
    expect(await page.getByPlaceholder('Login account').inputValue()).toBe('')
    await page.getByPlaceholder('Login account').fill('school')
    await page.getByRole('rowheader', { name: 'school.admin' }).waitFor()
    await open('Admin', 'Users')
    await page.getByRole('rowheader', { name: 'alice.moreau' }).waitFor()
    expect(page.url()).not.toContain('username=')
  })
})
