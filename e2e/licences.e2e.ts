import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { arrive, heading, type Installation, install, openBrowser, type Person } from './stage.ts'

let browser: Browser
let place: Installation
let person: Person
let bare: string
beforeAll(async () => {
  browser = await openBrowser()
  place = await install({ as: 'living' })
  person = await arrive(browser, place.url, { as: 'harbour.admin' })
  const { rows } = await place.database.query<{ sn: string }>(
    `select sn from device d where device_type = 3
      and not exists (select from licence l where l.device_id = d.id and l.kind = 'iot') order by sn limit 1`,
  )
  bare = rows[0]?.sn ?? ''
})
afterAll(async () => {
  await browser?.close()
  await place?.stop()
})
const dialog = () => person.page.getByRole('dialog').last()
const act = async (verb: string) => {
  await person.page.getByRole('button', { name: `Actions for ${bare}` }).click()
  await person.page.getByRole('menuitem', { name: verb }).click()
}

describe('a licence', () => {
  it('is given to devices for a term, prolonged and revoked', async () => {
    const { page } = person
    await page.goto('/device/license/iot')
    await heading(page, 'IoT licences').waitFor()
    await page.getByRole('button', { name: 'Authorise devices' }).first().click()
    await dialog().getByRole('button', { name: 'Authorise devices' }).click()
    await dialog().getByText('Choose the devices.').waitFor()
    await dialog().getByRole('button', { name: 'Choose devices' }).click()
    // The list's own filters over twenty rows, and all that match at once.
    const ticks = dialog().locator('tbody').getByRole('checkbox')
    await expect.poll(() => ticks.count()).toBe(20)
    await dialog().getByRole('textbox', { name: 'Serial number' }).fill(bare)
    await expect.poll(() => ticks.count()).toBe(1)
    await dialog().getByRole('button', { name: 'Select all 1 matching' }).click()
    await dialog().getByRole('button', { name: 'Use 1 device' }).click()
    await dialog().getByRole('button', { name: 'Authorise devices' }).click()
    await dialog().waitFor({ state: 'detached' })

    await page.getByRole('textbox', { name: 'Serial number' }).fill(bare)
    const row = page.getByRole('row', { name: new RegExp(bare) })
    await row.getByText('Active').waitFor()
    const year = new Date().getUTCFullYear()
    await row.getByText(new RegExp(`^${year + 1}-`)).waitFor()
    await act('Renew')
    await dialog().getByRole('button', { name: 'Renew' }).click()
    await row.getByText(new RegExp(`^${year + 2}-`)).waitFor()
    await act('Revoke')
    await dialog().getByRole('button', { name: 'Revoke' }).click()
    await row.getByText('Revoked').waitFor()
  })

  it('that runs out within thirty days is one click away', async () => {
    const { page } = person
    await page.goto('/device/license/iot')
    const soon = page.getByRole('button', { name: /expires? within 30 days/ })
    const count = Number((await soon.innerText()).match(/\d+/)?.[0])
    await soon.click()
    await page.getByText(`${count} licences`).waitFor()
  })
})

describe('a power schedule', () => {
  it('needs two minutes between off and on, goes to the chosen phones and stands in their list', async () => {
    const { page } = person
    await page.goto('/device/videoPhone?iotStatus=online')
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    const bar = page.getByRole('region', { name: 'Selection' })
    const chosen = Number((await bar.getByText(/^\d+ selected/).innerText()).match(/\d+/)?.[0])
    expect(chosen).toBeGreaterThan(1)
    await bar.getByRole('button', { name: 'Set power schedule' }).click()
    const composer = page.getByRole('dialog', { name: 'Tell devices' })
    const preview = composer.getByRole('region', { name: 'Preview' })
    const set = async (label: string, time: string) => {
      await composer.getByLabel(label).fill(time)
      await composer.getByLabel(label).press('Tab')
    }
    await set('Power off at', '23:59')
    await set('Power on at', '00:00')
    await composer.getByRole('checkbox', { name: 'Mon' }).check()
    await preview.getByRole('alert').getByText('at least 2 minutes apart').waitFor()
    await composer.getByRole('button', { name: 'Send', exact: true }).waitFor()
    await set('Power on at', '06:21')
    await preview.getByText(`${chosen} will receive it`).waitFor()
    await composer.getByRole('button', { name: `Send to ${chosen} device` }).click()
    await composer.getByRole('link', { name: 'Open the task' }).waitFor()
    await composer.getByRole('button', { name: 'Close' }).last().click()
    await expect
      .poll(
        async () => {
          await page.getByRole('button', { name: 'Refresh' }).first().click()
          return page.getByRole('cell', { name: '06:21' }).count()
        },
        { timeout: 60_000, interval: 1_000 },
      )
      .toBeGreaterThan(0)
  })
})
