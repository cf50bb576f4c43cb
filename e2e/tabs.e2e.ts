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

const menu = () => person.page.getByRole('navigation', { name: 'Main menu' })
const line = (name: string) => menu().getByRole('link', { name, exact: true })
const open = async (area: string, entry: string) => {
  if (!(await line(entry).isVisible())) await menu().getByRole('button', { name: area, exact: true }).click()
  await line(entry).click()
}
const tab = (name: string) =>
  person.page.getByRole('navigation', { name: 'Open pages' }).getByRole('link', { name, exact: true })

describe('tabs', () => {
  it('keep filters, page and a half-filled form, and eight of them with the form come back when the page is loaded anew', async () => {
    const { page } = person
    await open('Admin', 'Users')
    await heading(page, 'Users').waitFor()
    await page.getByPlaceholder('Login account').fill('retail')
    await page.getByRole('rowheader', { name: 'retail.admin' }).waitFor()
    await open('People & school', 'Organisations')
    await page.getByRole('button', { name: 'Add organisation' }).click()
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Half a name')
    await page.goBack()
    await heading(page, 'Users').waitFor()
    await page.waitForURL(/search=retail/)
    expect(await page.getByPlaceholder('Login account').inputValue()).toBe('retail')
    // Pages behind are updated only when there is time; that must not empty them either.
    await page.waitForTimeout(1_000)
    await page.goForward()
    expect(await page.getByRole('dialog').getByLabel('Name', { exact: true }).inputValue()).toBe('Half a name')
    const opened = () => page.getByRole('navigation', { name: 'Open pages' }).getByRole('link').allInnerTexts()
    for (const [area, entry, title] of [
      ['Admin', 'Roles', 'Roles'],
      ['Admin', 'Announcements', 'Announcements'],
      ['Admin', 'Operation log', 'Operation log'],
      ['Devices', 'All devices', 'Devices'],
      ['People & school', 'Organisation tree', 'Organisation tree'],
    ] as const) {
      await open(area, entry)
      await heading(page, title).waitFor()
    }
    const before = await opened()
    expect(before).toHaveLength(8)
    const asked: string[] = []
    page.on('dialog', (question) => {
      asked.push(question.type())
      void question.accept()
    })
    // The form is behind another tab by now, and comes back where it was.
    await page.reload()
    await heading(page, 'Organisation tree').waitFor()
    expect(await opened()).toEqual(before)
    await tab('Organisations').click()
    const name = page.getByRole('dialog').getByLabel('Name', { exact: true })
    await expect.poll(() => name.inputValue()).toBe('Half a name')
    await name.fill('Half a name more')
    // In front too, at once after a key.
    await page.reload()
    await expect.poll(() => name.inputValue()).toBe('Half a name more')
    expect(asked).toEqual([])
    page.removeAllListeners('dialog')
    await tab('Users').click()
    await page.getByRole('rowheader', { name: 'retail.admin' }).waitFor()
    expect(await page.getByPlaceholder('Login account').inputValue()).toBe('retail')
    for (const entry of before.filter((each) => !['Home', 'Users', 'Organisations'].includes(each)))
      await page.getByRole('button', { name: `Close ${entry}`, exact: true }).click()
    // What was given up does not come back.
    await tab('Organisations').click()
    await name.press('Escape')
    await page.getByRole('button', { name: 'Discard' }).click()
    await name.waitFor({ state: 'detached' })
    await page.reload()
    await heading(page, 'Organisations').waitFor()
    expect(await name.count()).toBe(0)
    await tab('Users').click()
  })

  it('are fresh after closing, and clean when their menu entry is clicked', async () => {
    const { page } = person
    await page.getByRole('button', { name: 'Close Users' }).click()
    // The menu follows to the page that was behind; its entries of before would be gone under the pointer.
    await menu().locator('a[aria-current=page]').filter({ hasText: 'Users' }).waitFor({ state: 'detached' })
    await open('Admin', 'Users')
    await page.getByRole('rowheader', { name: 'alice.moreau' }).waitFor()
    expect(await page.getByPlaceholder('Login account').inputValue()).toBe('')
    // Slowly enough that the address follows the letters, which must not take back any of them.
    await page.getByPlaceholder('Login account').pressSequentially('school', { delay: 130 })
    await page.getByRole('rowheader', { name: 'school.admin' }).waitFor()
    expect(await page.getByPlaceholder('Login account').inputValue()).toBe('school')
    await open('Admin', 'Users')
    await page.getByRole('rowheader', { name: 'alice.moreau' }).waitFor()
    expect(page.url()).not.toContain('search=')
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
    await open('People & school', 'Organisations')
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
    await open('Admin', 'Roles')
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
    const dialog = page.getByRole('dialog', { name: new RegExp(`^Tell ${first}\\W*Message$`) })
    await dialog.getByRole('region', { name: 'Preview' }).waitFor()
    expect(await palette().count()).toBe(0)
    const said = dialog.getByRole('textbox').first()
    await said.fill('Half a sentence')
    await page.reload()
    await expect.poll(() => said.inputValue()).toBe('Half a sentence')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await dialog.waitFor({ state: 'hidden' })
  })

  it('takes a verb before the name, and leaves the letters before it leaves the field', async () => {
    const { page } = person
    await look('restart 2402001')
    await option(/^Restart device · \S*2402001/)
      .first()
      .click()
    const dialog = page.getByRole('dialog', { name: /^Tell \S*2402001\W*Restart device$/ })
    await dialog.waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'hidden' })
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

describe('the menu', () => {
  const contentStart = async () => (await person.page.getByRole('main').boundingBox())?.x

  it('shows an area beside the page, which stays where it is until an entry is chosen', async () => {
    const { page } = person
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await page.waitForURL('**/home')
    await expect.poll(contentStart).toBe(64)
    await menu().getByRole('button', { name: 'Devices', exact: true }).click()
    await line('All devices').waitFor()
    await expect.poll(contentStart).toBe(64)
    await page.keyboard.press('Escape')
    await line('All devices').waitFor({ state: 'detached' })
    await page.keyboard.press('g')
    await page.keyboard.press('d')
    await heading(page, 'Devices').waitFor()
    await expect.poll(contentStart).toBe(264)
    await page.keyboard.press('[')
    await line('All devices').waitFor({ state: 'detached' })
    await expect.poll(contentStart).toBe(64)
    await page.keyboard.press('[')
    await line('All devices').waitFor()
  })

  it('finds an entry of any area, and its screens are tabs of one page', async () => {
    const { page } = person
    await page.keyboard.press('g')
    await page.keyboard.press('/')
    await page.keyboard.type('health')
    await line('Licences').click()
    await heading(page, 'IoT licences').waitFor()
    await page.getByRole('navigation', { name: 'Licences' }).getByRole('link', { name: 'Health licences' }).click()
    await heading(page, 'Health licences').waitFor()
    expect(new URL(page.url()).pathname).toBe('/device/license/health')
    expect(await line('Licences').getAttribute('aria-current')).toBe('page')
  })

  it('keeps pages with a star on top, for the person and not for the browser', async () => {
    const { page } = person
    await page.getByRole('main').getByRole('button', { name: 'Favourite: Health licences' }).click()
    await line('Health licences').waitFor()
    const elsewhere = await arrive(browser, place.url, { as: 'harbour.admin' })
    await elsewhere.page.goto('/system/user')
    const theirs = elsewhere.page.getByRole('navigation', { name: 'Main menu' })
    await theirs.getByRole('link', { name: 'Health licences' }).waitFor()
    await theirs.getByRole('listitem').filter({ hasText: 'Health licences' }).hover()
    await theirs.getByRole('button', { name: 'Favourite: Health licences' }).click()
    await theirs.getByRole('link', { name: 'Health licences' }).waitFor({ state: 'detached' })
    await elsewhere.context.close()
  })

  it('is a drawer with the same tree on a phone', async () => {
    const { page } = person
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Open menu' }).click()
    await menu().getByRole('button', { name: 'Admin' }).click()
    await line('Roles').waitFor()
    await menu().getByRole('button', { name: 'Devices', exact: true }).click()
    await menu().getByRole('button', { name: 'Work 4' }).click()
    await line('Device settings').click()
    await heading(page, 'Device settings').waitFor()
    await line('Device settings').waitFor({ state: 'hidden' })
    // The name of the organisation is whole at any width.
    const name = page.locator('.switcher-name')
    for (const width of [390, 720, 900, 1280]) {
      await page.setViewportSize({ width, height: 844 })
      const isWhole = () => name.evaluate((each) => each.clientWidth > 0 && each.scrollWidth <= each.clientWidth)
      await expect.poll(isWhole, { message: `${width} px` }).toBe(true)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  })
})
