import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminPassword } from './server.ts'
import { arrive, heading, type Installation, install, openBrowser, type Person } from './stage.ts'

let browser: Browser
let place: Installation
let admin: Person
let page: Page
beforeAll(async () => {
  browser = await openBrowser()
  place = await install()
  admin = await arrive(browser, place.url, { as: 'admin', password: adminPassword })
  page = admin.page
})
afterAll(async () => {
  await browser?.close()
  await place?.stop()
})

const drawer = () => page.locator('.ant-drawer')
const treeLine = (name: string) => page.getByRole('treeitem').filter({ hasText: name })

const chooseParent = async (name: string) => {
  await drawer().getByRole('combobox', { name: 'Parent', exact: true }).fill(name)
  await page.locator('.ant-select-tree-title').filter({ hasText: name }).first().click()
}
const chooseType = async (name: string) => {
  await drawer().getByRole('combobox', { name: 'Type', exact: true }).click()
  await page.locator('.ant-select-item-option').filter({ hasText: name }).first().click()
}
const openMenuOf = async (name: string) => {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
}

describe('organisations', () => {
  it('are added with only the types their parent bears, and a type that no longer fits is dropped by name', async () => {
    await page.goto('/org/list')
    await page.getByRole('button', { name: 'Add organisation' }).click()
    await drawer().getByRole('textbox', { name: 'Name', exact: true }).fill('Lakeside School')
    await chooseParent('Harbour Systems')
    await chooseType('School')
    await chooseParent('Grade 1')
    await drawer().getByText('School cannot stand under Grade').waitFor()
    await chooseParent('Harbour Systems')
    await drawer().getByRole('combobox', { name: 'Type', exact: true }).click()
    expect(await page.locator('.ant-select-item-option').allInnerTexts()).toEqual([
      'Sub-department',
      'Enterprise',
      'School',
      'SI',
    ])
    await page.locator('.ant-select-item-option').filter({ hasText: 'School' }).click()
    expect(await drawer().getByLabel('Merchant id', { exact: true }).count()).toBe(0)
    await drawer().getByRole('switch', { name: 'Payment' }).click()
    await drawer().getByRole('textbox', { name: 'Merchant id', exact: true }).fill('1900000001')
    await drawer().getByRole('button', { name: 'Add organisation' }).click()
    await drawer().waitFor({ state: 'detached' })

    await page.goto('/org/list?name=Lakeside')
    await page.getByRole('link', { name: 'Lakeside School' }).click()
    await heading(page, 'Lakeside School').waitFor()
    await page.getByText('1900000001').waitFor()
  })

  it('that hold something say what before they are deleted; empty ones go', async () => {
    await page.goto('/org/list?name=Riverside')
    await openMenuOf('Riverside School')
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const refused = page.getByRole('dialog').filter({ hasText: '“Riverside School” cannot be deleted yet' })
    await refused.getByRole('link', { name: /organisations below it/ }).click()
    await page.waitForURL('**/org/list?parentId=*')

    await page.goto('/org/list?name=Lakeside')
    await openMenuOf('Lakeside School')
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete organisation' }).click()
    await page.getByText('Nothing matches these filters.').waitFor()
  })
})

describe('the organisation tree', () => {
  it('finds a name anywhere and shows the way to it', async () => {
    await page.goto('/org/tree')
    await page.getByLabel('Search by name').fill('depot')
    await page.locator('mark').first().waitFor()
    expect(await page.locator('mark').allInnerTexts()).toEqual(['Depot', 'Depot'])
    expect(await treeLine('Meridian Logistics').getAttribute('aria-level')).toBe('3')
  })

  it('is walked with the keyboard', async () => {
    await page.goto('/org/tree')
    await treeLine('Harbour Systems').focus()
    await page.keyboard.press('ArrowRight')
    await treeLine('Northgate Retail').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await treeLine('Northgate Retail').waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await heading(page, 'Harbour Systems').waitFor()
  })

  it('moves by dialog, with a reason at every place that is refused', async () => {
    await page.goto('/org/tree')
    await page.getByLabel('Search by name').fill('Fleet')
    await page.locator('mark').first().waitFor()
    await openMenuOf('Fleet')
    await page.getByRole('menuitem', { name: 'Move organisation' }).click()
    const dialog = page.getByRole('dialog')
    const target = (name: string) => dialog.getByRole('treeitem').filter({ hasText: name }).first()
    const look = (name: string) => dialog.getByLabel('Search by name').fill(name)
    await look('City vans')
    await target('Meridian Logistics').getByText('Already here').waitFor()
    await target('Fleet').getByText('Being moved').waitFor()
    await target('City vans').getByText('Below what is being moved').waitFor()
    await look('Grade 1')
    await target('Grade 1').getByText('Sub-department cannot stand under Grade').click()
    expect(await dialog.getByRole('button', { name: 'Move organisation' }).isDisabled()).toBe(true)
    await look('Northgate')
    await target('Northgate Retail').click()
    await dialog.getByRole('button', { name: 'Move organisation' }).click()
    await page.getByText('“Fleet” now stands under “Northgate Retail”').waitFor()
  })
})

describe('the operation log', () => {
  it('tells a move with both parents by name and the hash of its line', async () => {
    await page.goto('/system/log?type=action&module=organisation')
    // What it was done to is a name that leads there.
    expect(await page.locator('tbody a').first().getAttribute('href')).toMatch(/\/org\/list\?\w+=%22/)
    await page.locator('tbody .link-button').first().click()
    const changed = drawer().getByRole('row').filter({ hasText: 'Parent' })
    await changed.getByText('Meridian Logistics').waitFor()
    await changed.getByRole('link', { name: 'Northgate Retail' }).waitFor()
    expect(await drawer().locator('.operation-hash').textContent()).toMatch(/^[0-9a-f]{64}/)
  })
})

describe('system configuration', () => {
  it('refuses a value outside its range where it stands, saves the rest and says who changed it', async () => {
    await page.goto('/system/config')
    await page.getByRole('spinbutton', { name: 'Lock after five wrong passwords' }).fill('2')
    await page.getByText('1 unsaved change').waitFor()
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('A whole number from 5 to 1440.').waitFor()
    await page.getByRole('spinbutton', { name: 'Lock after five wrong passwords' }).fill('45')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText(/Changed .* by Administrator/).waitFor()
    await page.getByRole('button', { name: 'Reset “Lock after five wrong passwords” to its default' }).click()
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('1 unsaved change').waitFor({ state: 'detached' })
    expect(await page.getByRole('spinbutton', { name: 'Lock after five wrong passwords' }).inputValue()).toBe('30')
  })
})

describe('the home screen', () => {
  it('shows figures that their lists confirm, and first steps that tick themselves', async () => {
    await page.goto('/home')
    await page.getByText('2 of 4 done').waitFor()
    const card = page.getByRole('link', { name: /^Organisations: / })
    const figure = (await card.getAttribute('aria-label'))?.split(': ')[1]
    await card.click()
    await heading(page, 'Organisations').waitFor()
    await page.getByText(`${figure} organisations`).waitFor()
  })

  it('offers nothing a person may not do', async () => {
    const auditor = await arrive(browser, place.url, { as: 'retail.auditor' })
    await auditor.page.goto('/home')
    await auditor.page.getByRole('navigation', { name: 'Main menu' }).waitFor()
    expect(await auditor.page.getByText('First steps').count()).toBe(0)
    await auditor.page.goto('/org/list')
    await auditor.page.getByRole('button', { name: 'Actions for Head office' }).click()
    await auditor.page.getByRole('menu').waitFor()
    const entries = await auditor.page.getByRole('menuitem').allInnerTexts()
    expect(entries.filter((entry) => /Edit|Delete|Add/.test(entry))).toEqual([])
    expect(auditor.complaints).toEqual([])
  })

  it('left no complaint on the console', () => {
    expect(admin.complaints).toEqual([])
  })
})
