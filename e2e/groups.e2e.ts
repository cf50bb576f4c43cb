import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { arrive, chooseMore, heading, type Installation, install, openBrowser, type Person } from './stage.ts'

let browser: Browser
let place: Installation
let person: Person
let robots: string[]
let till: string
beforeAll(async () => {
  browser = await openBrowser()
  place = await install()
  person = await arrive(browser, place.url, { as: 'harbour.admin' })
  const free = async (type: number) =>
    (
      await place.database.query<{ sn: string }>(
        'select sn from device where device_type = $1 and group_id is null order by sn limit 3',
        [type],
      )
    ).rows.map(({ sn }) => sn)
  robots = await free(3)
  till = (await free(2))[0] ?? ''
})
afterAll(async () => {
  await browser?.close()
  await place?.stop()
})
const dialog = () => person.page.getByRole('dialog').last()
const chooseDepartment = async (name: string) => {
  await dialog().getByRole('combobox', { name: 'Department' }).fill(name)
  await person.page.locator('.ant-select-tree').getByText(name).first().click()
}
const chooseType = async (name: string) => {
  await dialog().getByRole('combobox', { name: 'Device type' }).fill(name)
  await person.page.locator('.ant-select-item-option').getByText(name, { exact: true }).click()
}

describe('a group by hand', () => {
  it('takes one type: the serial that does not fit is named, and nothing is lost', async () => {
    const { page } = person
    await page.goto('/device/group')
    await page.getByRole('button', { name: 'Add group' }).first().click()
    await dialog().getByRole('textbox', { name: 'Group name' }).fill('Porters')
    await chooseDepartment('Harbour')
    await chooseType('Robot')
    await dialog().getByRole('button', { name: 'Add group' }).click()
    await page.getByRole('link', { name: 'Porters' }).click()
    await heading(page, 'Group devices').waitFor()

    await page.getByRole('button', { name: 'Add devices' }).first().click()
    await dialog().getByRole('tab', { name: 'Paste serial numbers' }).click()
    await dialog()
      .getByRole('textbox', { name: /Serial numbers, separated/ })
      .fill(`${robots[0]}/${till}\nNOT-HERE`)
    await dialog().getByRole('button', { name: 'Add serial numbers' }).click()
    await dialog()
      .getByRole('row', { name: /NOT-HERE/ })
      .waitFor()
    await dialog().getByRole('button', { name: 'Use 2 devices' }).click()
    const refusal = page.getByRole('alert').filter({ hasText: '204008' })
    await refusal.waitFor()
    expect(await refusal.innerText()).toContain(till)

    await dialog()
      .getByRole('button', { name: `Remove ${till}` })
      .click()
    await dialog().getByRole('button', { name: 'Use 1 device' }).click()
    await page.getByRole('row', { name: new RegExp(robots[0] ?? '') }).waitFor()
  })

  it('gives its members back', async () => {
    const { page } = person
    await page.getByRole('checkbox', { name: `Select ${robots[0]}` }).check()
    await page.getByRole('button', { name: 'Remove from group' }).click()
    await dialog().getByRole('button', { name: 'Remove from group' }).click()
    await page.getByText('No device is in this group.').waitFor()
  })
})

describe('a group by filter', () => {
  it('is saved from the device list and follows what changes', async () => {
    const { page } = person
    const setModel = (sn: string | undefined) =>
      place.database.query('update device set model = $1 where sn = $2', ['E2E-9', sn])
    await setModel(robots[1])
    await page.goto('/device/list?model=E2E-9&deviceType=3')
    await page.getByRole('row', { name: new RegExp(robots[1] ?? '') }).waitFor()
    await chooseMore(page, 'Save as group')
    await dialog().getByRole('textbox', { name: 'Group name' }).fill('Model nine')
    await chooseDepartment('Harbour')
    await dialog().getByRole('button', { name: 'Save as group' }).click()
    await page.getByText('Group “Model nine” saved.').waitFor()

    await page.goto('/device/group?name=Model')
    await page.getByRole('row', { name: /Model nine.*By filter.*1/ }).waitFor()
    await page.getByRole('link', { name: 'Model nine' }).click()
    await page.getByText('Model: E2E-9').waitFor()
    await page.getByRole('row', { name: new RegExp(robots[1] ?? '') }).waitFor()
    await setModel(robots[2])
    await page.getByRole('row', { name: new RegExp(robots[2] ?? '') }).waitFor()
    expect(await page.getByRole('row', { name: /E2E-9/ }).count()).toBe(2)
    expect(person.complaints.filter((text) => !text.includes('409'))).toEqual([])
  })
})
