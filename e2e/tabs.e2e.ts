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
    expect(page.url()).toContain('username=retail')
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
    expect(page.url()).not.toContain('username=')
  })

  it('keep what was opened in them to themselves, and leave tabs and menu usable', async () => {
    const { page } = person
    const dialog = page.getByRole('dialog')
    await page.getByPlaceholder('Login account').fill('alice')
    await page.getByText('1 user', { exact: true }).waitFor()
    await page
      .getByRole('row', { name: /alice.moreau/ })
      .getByRole('button', { name: 'Actions for alice.moreau' })
      .click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await dialog
      .getByText(/alice.moreau/)
      .last()
      .waitFor()
    await tab('Organisations').click()
    await heading(page, 'Organisations').waitFor()
    expect(await dialog.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Add organisation' }).click()
    const name = dialog.getByLabel('Name', { exact: true })
    await expect.poll(() => name.evaluate((input) => input === document.activeElement)).toBe(true)
    await page.keyboard.type('Half')
    await tab('Users').click()
    await dialog
      .getByText(/alice.moreau/)
      .last()
      .waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await open('Organisation', 'Organisations')
    expect(await name.inputValue()).toBe('Half')
    // Esc asks once, and a second Esc takes back the question alone.
    await name.press('Escape')
    await page.getByText('Discard unsaved input?').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Discard unsaved input?').waitFor({ state: 'hidden' })
    expect(await name.inputValue()).toBe('Half')
    await name.press('Escape')
    await page.getByRole('button', { name: 'Discard' }).click()
    await dialog.waitFor({ state: 'hidden' })
  })

  it('and all they show are said in another language as soon as it is chosen', async () => {
    const { page } = person
    await open('System', 'Roles')
    await page
      .getByRole('rowheader', { name: /Auditor/ })
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Language' }).click()
    await page.getByRole('menuitem', { name: '简体中文' }).click()
    await heading(page, '角色管理').waitFor()
    await page
      .getByRole('rowheader', { name: /审计员/ })
      .first()
      .waitFor()
    await page.getByRole('navigation', { name: '已打开的页面' }).getByRole('link', { name: '用户管理' }).click()
    await heading(page, '用户管理').waitFor()
    expect(await page.title()).toMatch(/^用户管理 - /)
    await page.getByRole('button', { name: '语言' }).click()
    await page.getByRole('menuitem', { name: 'English' }).click()
    await heading(page, 'Users').waitFor()
  })
})
