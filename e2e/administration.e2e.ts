import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminPassword } from './server.ts'
import { arrive, heading, type Installation, install, openBrowser, type Person } from './stage.ts'

let browser: Browser
let place: Installation
let admin: Person
beforeAll(async () => {
  browser = await openBrowser()
  place = await install()
  admin = await arrive(browser, place.url, { as: 'retail.admin' })
})
afterAll(async () => {
  await browser?.close()
  await place?.stop()
})

const drawer = (person: Person) => person.page.getByRole('dialog')
/** Every area of the menu, and what the one that is open holds. */
const menuOf = async ({ page }: Person) => {
  const menu = page.getByRole('navigation', { name: 'Main menu' })
  const lines = menu.getByRole('link').or(menu.locator('.rail').getByRole('button'))
  return (await lines.allInnerTexts()).map((text) => text.trim())
}

const newPassword = 'Stock-2026!'
/** Somebody of Northgate Retail with one role, added by the form. */
const addUser = async ({ account, name, role }: { account: string; name: string; role: RegExp }) => {
  const { page } = admin
  const form = drawer(admin)
  await page.goto('/system/user')
  await page.getByRole('button', { name: 'Add user' }).click()
  await form.getByLabel('Login account').fill(account)
  await form.getByLabel('Real name').fill(name)
  await form.getByLabel('Password', { exact: true }).fill(newPassword)
  await form.getByLabel('Password again').fill(newPassword)
  await form.getByRole('combobox', { name: 'Department' }).fill('Northgate')
  await page
    .getByRole('treeitem', { name: /Northgate Retail/ })
    .first()
    .click()
  await form.getByRole('combobox', { name: 'Roles' }).click()
  await page.getByTitle(role).click()
  await form.getByRole('button', { name: 'Add user' }).click()
  await form.waitFor({ state: 'detached' })
}

describe('a role and a user', () => {
  it('made by one administrator decide what another one sees', async () => {
    const { page } = admin
    await page.goto('/system/role')
    await page.getByRole('button', { name: 'Add role' }).click()
    await drawer(admin).getByLabel('Name').fill('Stock clerks')
    await drawer(admin).getByRole('button', { name: 'Add role' }).click()
    expect(await drawer(admin).getByText('Make a choice.').count()).toBe(2)
    await drawer(admin).getByRole('textbox', { name: 'Search operations' }).fill('Organisations')
    await drawer(admin)
      .getByRole('checkbox', { name: /Organisations 0/ })
      .click()
    await drawer(admin)
      .getByRole('checkbox', { name: /Northgate Retail/ })
      .click()
    await drawer(admin).getByRole('button', { name: 'Add role' }).click()
    await page.getByRole('rowheader', { name: /Stock clerks/ }).waitFor()

    await addUser({ account: 'stock.clerk', name: 'Noor Haddad', role: /Stock clerks/ })
    await page.goto('/system/user?username=stock')
    await page.getByRole('rowheader', { name: 'stock.clerk' }).waitFor()

    const clerk = await arrive(browser, place.url, { as: 'stock.clerk', password: newPassword })
    await clerk.page.goto('/org/list')
    await heading(clerk.page, 'Organisations').waitFor()
    expect(await clerk.page.getByRole('rowheader', { name: 'Riverside School' }).count()).toBe(0)
    expect(await menuOf(clerk)).toEqual(['Home', 'Organisations'])
    await clerk.page.goto('/system/user')
    await clerk.page.waitForURL('**/401**')
    await clerk.context.close()
  })

  it('lose their buttons and their session when the role loses them', async () => {
    const clerk = await arrive(browser, place.url, { as: 'stock.clerk', password: newPassword })
    await clerk.page.goto('/org/list')
    const add = clerk.page.getByRole('button', { name: 'Add organisation' })
    await add.waitFor()

    const { page } = admin
    await page.goto('/system/role')
    await page.getByRole('button', { name: 'Actions for Stock clerks' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await drawer(admin).getByRole('textbox', { name: 'Search operations' }).fill('org:list:add')
    await drawer(admin).getByRole('checkbox', { name: 'Add', exact: true }).click()
    await drawer(admin).getByRole('button', { name: 'Save changes' }).click()
    await drawer(admin).waitFor({ state: 'detached' })

    // The page stays under the question, and what the role lost is gone from it afterwards.
    const ended = clerk.page.getByRole('dialog', { name: 'Your session has ended' })
    await ended.getByLabel('Password').fill(newPassword)
    await ended.getByRole('button', { name: 'Continue' }).click()
    await ended.waitFor({ state: 'detached' })
    await add.waitFor({ state: 'detached' })
    expect(new URL(clerk.page.url()).pathname).toBe('/org/list')
    await clerk.page.getByRole('rowheader', { name: 'Northgate Retail' }).waitFor()
    expect(await menuOf(clerk)).toEqual(['Home', 'Organisations'])
    await clerk.context.close()
  })

  it('are removed by name, with a question first', async () => {
    const { page } = admin
    await page.goto('/system/user?username=stock.clerk')
    await page.getByRole('button', { name: 'Actions for stock.clerk' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page
      .getByRole('dialog', { name: /stock.clerk/ })
      .getByRole('button', { name: /Delete/ })
      .click()
    await page.getByText('Nothing matches these filters.').waitFor()
  })
})

describe('a role for one store', () => {
  it('that only looks shows its devices and no others, and leads to none of them', async () => {
    const { page } = admin
    await page.goto('/system/role')
    await page.getByRole('button', { name: 'Add role' }).click()
    const form = drawer(admin)
    await form.getByLabel('Name').fill('Hartwell, looking')
    await form.getByRole('textbox', { name: 'Search operations' }).fill('All devices')
    await form.getByRole('checkbox', { name: 'View only' }).first().click()
    await form.getByRole('checkbox', { name: /All devices 1\/\d+/ }).waitFor()
    const departments = form.getByRole('searchbox', { name: 'Search departments' })
    await departments.fill('Store Hartwell')
    await departments.press('Enter')
    await form.getByRole('checkbox', { name: /Store Hartwell/ }).click()
    await form.getByRole('button', { name: 'Add role' }).click()
    await page.getByRole('rowheader', { name: /Hartwell, looking/ }).waitFor()

    await addUser({ account: 'store.looker', name: 'Ines Duarte', role: /Hartwell, looking/ })

    const looker = await arrive(browser, place.url, { as: 'store.looker', password: newPassword })
    await looker.page.goto('/device/list?pageSize=100')
    const { rows } = await place.database.query<{ sn: string }>(
      `select t.sn from device t join department d on d.id = t.department_id where d.name = 'Store Hartwell' order by t.sn`,
    )
    expect(rows.length).toBeGreaterThan(0)
    const names = looker.page.getByRole('rowheader')
    await expect.poll(async () => (await names.allInnerTexts()).sort()).toEqual(rows.map(({ sn }) => sn).sort())
    expect(await names.getByRole('link').count()).toBe(0)
    expect(await looker.page.getByRole('button', { name: 'Add device' }).count()).toBe(0)
    expect(await menuOf(looker)).toEqual(['Home', 'All devices'])
    await looker.context.close()
  })
})

describe('a menu entry', () => {
  it('renamed by the installation’s administrator is renamed for everybody', async () => {
    const root = await arrive(browser, place.url, { as: 'admin', password: adminPassword })
    await root.page.goto('/system/menu')
    await root.page.getByRole('button', { name: 'Actions for People & school', exact: true }).click()
    await root.page.getByRole('menuitem', { name: 'Edit' }).click()
    const english = root.page.getByRole('dialog').getByRole('textbox', { name: 'Name · EN' })
    await english.fill('Places')
    await root.page.getByRole('dialog').getByRole('button', { name: 'Save changes' }).click()
    await root.page.getByRole('navigation', { name: 'Main menu' }).getByText('Places').waitFor()

    await admin.page.goto('/home')
    await admin.page.getByRole('navigation', { name: 'Main menu' }).getByText('Places').waitFor()
  })
})

describe('another organisation', () => {
  it('is entered from the header, narrows every list and takes new rows', async () => {
    const { page, context } = await arrive(browser, place.url, { as: 'harbour.admin' })
    await page.goto('/org/list')
    const all = await page
      .getByText(/\d+ organisations/)
      .first()
      .innerText()
    await page.getByRole('banner').getByRole('button').first().click()
    const found = page.waitForResponse((response) => response.url().includes('keyword=Riverside'))
    await page.getByLabel('Find an organisation').fill('Riverside')
    await found
    await page.getByRole('tooltip').getByText('Riverside School').first().click()
    await page.getByText('Operating on').first().waitFor()
    await page.waitForURL(/\/at\/\d+\/org\/list/)
    await heading(page, 'Organisations').waitFor()
    await page.getByRole('rowheader', { name: 'Class 1A' }).first().waitFor()
    expect(
      await page
        .getByText(/\d+ organisations/)
        .first()
        .innerText(),
    ).not.toBe(all)
    expect(await page.getByRole('rowheader', { name: 'Northgate Retail' }).count()).toBe(0)

    // Another window of the same browser is at one's own, until it opens a link of this one.
    const other = await context.newPage()
    await other.goto('/org/list')
    await other.getByText(all).first().waitFor()
    expect(await other.getByText('Operating on').count()).toBe(0)
    await other.goto(page.url())
    await other.getByRole('button', { name: /Operating on Riverside School/ }).waitFor()
    await other.getByRole('rowheader', { name: 'Class 1A' }).first().waitFor()

    // A device of somewhere else is not here, but the person may go there.
    const { rows } = await place.database.query(
      `select sn from device join department d on d.id = device.department_id where d.name = 'Store Glenwood' limit 1`,
    )
    const [{ sn }] = rows as [{ sn: string }]
    const base = new URL(page.url()).pathname.replace('/org/list', '')
    await other.goto(`${base}/device/list/detail/${sn}`)
    await other.getByText(`${sn} is in Store Glenwood`).waitFor()
    await other.getByRole('button', { name: 'Switch to Store Glenwood' }).click()
    await other.getByRole('button', { name: /Operating on Store Glenwood/ }).waitFor()
    await other.getByRole('tab', { name: 'Timeline' }).waitFor()
    expect(new URL(other.url()).pathname).toMatch(new RegExp(`^/at/\\d+/device/list/detail/${sn}$`))
    // The first window is where it was.
    await page.getByRole('button', { name: /Operating on Riverside School/ }).waitFor()
    await context.close()
  })

  it('somebody may not enter opens no page and is not named', async () => {
    const { rows } = await place.database.query(`select id from department where name = 'Riverside School'`)
    const { page, context } = await arrive(browser, place.url, { as: 'retail.admin' })
    await page.goto(`/at/${rows[0].id}/device/list`)
    await page.waitForURL('**/401**')
    await heading(page, 'No permission').waitFor()
    expect(await page.getByText('Riverside').count()).toBe(0)
    await context.close()
  })
})
