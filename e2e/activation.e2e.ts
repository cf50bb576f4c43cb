import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { arrive, heading, type Installation, install, openBrowser, type Person, typed } from './stage.ts'

let browser: Browser
let place: Installation
let person: Person
beforeAll(async () => {
  browser = await openBrowser()
  place = await install()
  person = await arrive(browser, place.url, { as: 'retail.admin' })
})
afterAll(async () => {
  await browser?.close()
  await place?.stop()
})
const drawer = () => person.page.getByRole('dialog').last()

describe('activation codes', () => {
  it('are created by lines, once every line is right', async () => {
    const { page } = person
    await page.goto('/activation/code')
    await heading(page, 'Activation codes').waitFor()
    await page.getByRole('button', { name: 'Create codes' }).click()
    const lines = drawer().getByRole('textbox', { name: 'Codes' })
    await lines.fill('E2E-1;code-e2e1;AA:BB:CC:DD:EE:FF;\n{"sn":"E2E-2","activationCode":"code-e2e2"}\nE2E-3;nothing')
    await drawer().getByRole('button', { name: 'Create codes' }).click()
    await drawer().getByText('1 line is wrong. Nothing was created.').waitFor()
    const fault = drawer().getByRole('row', { name: /E2E-3;nothing/ })
    expect(await fault.innerText()).toMatch(/^3\s.*\(204030\)$/s)

    await lines.fill('E2E-1;code-e2e1;AA:BB:CC:DD:EE:FF;\n{"sn":"E2E-2","activationCode":"code-e2e2"}\nE2E-3')
    await drawer().getByRole('button', { name: 'Create codes' }).click()
    await page.getByRole('dialog', { name: '3 codes created' }).waitFor()
    expect(await drawer().locator('pre').first().innerText()).toContain(
      `campanile-agent.mjs join ${place.url} --sn E2E-1 --code code-e2e1`,
    )
  })

  it('let a device join with the very commands shown, which then has its value on the screen', async () => {
    const { page } = person
    await drawer().getByRole('button', { name: 'E2E-2', exact: true }).click()
    const shown = await drawer().locator('pre').nth(1).innerText()
    onTestFinished(typed(shown))
    await page.goto('/device/list?sn=E2E-2')
    await page.getByRole('row', { name: /E2E-2.*Online.*80 %/ }).waitFor()

    await page.goto('/activation/code?used=true&sn=E2E')
    await page.getByRole('row', { name: /E2E-2.*Used/ }).waitFor()
    expect(await page.getByRole('row', { name: /E2E-/ }).count()).toBe(1)
    const again = await fetch(`${place.url}/device/v1/activate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sn: 'E2E-2', code: 'code-e2e2' }),
    })
    expect(await again.json()).toMatchObject({ code: 204032 })
  })

  it('are shown as a picture to keep, and printed as labels', async () => {
    const { page } = person
    await page.goto('/activation/code?sn=E2E')
    await page.getByRole('button', { name: 'QR code of E2E-1' }).click()
    await drawer().getByText('E2E-1;code-e2e1;AA:BB:CC:DD:EE:FF;').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      drawer().getByRole('button', { name: 'Download PNG' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('E2E-1.png')
    await drawer().getByRole('button', { name: 'Close' }).click()

    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await page.getByRole('button', { name: 'Print QR sheet' }).click()
    const sheet = page.getByRole('dialog', { name: '3 labels' })
    await sheet.getByRole('listitem').nth(2).waitFor()
    await page.emulateMedia({ media: 'print' })
    expect(await sheet.getByRole('button', { name: 'Print labels' }).isVisible()).toBe(false)
    expect(await sheet.getByRole('listitem').first().isVisible()).toBe(true)
    expect(await heading(page, 'Activation codes').isVisible()).toBe(false)
    await page.emulateMedia({ media: 'screen' })
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    expect(person.complaints.filter((text) => !text.includes('400'))).toEqual([])
  })

  it('are made on the page of a device that is not activated, which turns green when it comes', async () => {
    const { page } = person
    const { rows } = await place.database.query(`select t.sn from device t join department d on d.id = t.department_id
      where t.activation_status = 0 and d.path <@ (select path from department where name = 'Northgate Retail')
      order by t.sn limit 1`)
    const sn = String(rows[0].sn)
    await page.goto(`/device/list/detail/${sn}`)
    await page.getByText('bound to nobody, so it cannot connect').waitFor()
    await page.getByRole('button', { name: 'Activate', exact: true }).click()
    await drawer().getByRole('button', { name: 'Create code' }).click()
    await drawer().getByText('Waiting for the device').waitFor()
    const code = await drawer().locator('.activate-big').innerText()
    const shown = await drawer().locator('pre').nth(1).innerText()
    expect(shown).toContain(code)
    onTestFinished(typed(shown))
    await drawer().getByText(`${sn} has come and is activated.`).waitFor({ timeout: 60_000 })
    await drawer().getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('main').getByText('● Online').waitFor()
    // It is the connection that came first: activating it has ended none.
    const { rows: turns } = await place.database.query(
      'select l.online from presence_log l join device d on d.id = l.device_id where d.sn = $1 order by l.time',
      [sn],
    )
    expect(turns).toEqual([{ online: true }])
  })
})
