import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { arrive, chooseMore, heading, type Installation, install, openBrowser, type Person, saved } from './stage.ts'
import { readSheet, writeSheet } from './workbook.ts'

let browser: Browser
let place: Installation
let person: Person
beforeAll(async () => {
  browser = await openBrowser()
  place = await install()
  person = await arrive(browser, place.url, { as: 'harbour.admin' })
})
afterAll(async () => {
  await browser?.close()
  await place?.stop()
})

describe('an export', () => {
  it('takes the filters of the screen, appears among the files and is downloaded', async () => {
    const { page } = person
    await page.goto('/org/list?type=2')
    await page.getByRole('rowheader', { name: 'Riverside School' }).waitFor()
    await chooseMore(page, 'Export')
    await page
      .getByText(/export .*has started/i)
      .first()
      .waitFor()
    await page.getByRole('link', { name: 'Open file management' }).first().click()
    await heading(page, 'File management').waitFor()
    await page.getByRole('cell', { name: 'Complete' }).first().waitFor()
    await page.getByRole('button', { name: /Actions for Organisations/ }).click()
    const rows = await readSheet(await saved(page, () => page.getByRole('menuitem', { name: 'Download' }).click()))
    expect(rows[0]?.[0]).toBe('Name')
    expect(rows.slice(1).map((row) => row[0])).toEqual(['Riverside School'])
  })
})

describe('an import', () => {
  it('names every wrong row before anything is written, keeps the right ones and gives the others back', async () => {
    const { page } = person
    await page.goto('/org/list')
    await chooseMore(page, 'Import')
    const wizard = page.getByRole('dialog')
    const template = await readSheet(
      await saved(page, () => wizard.getByRole('button', { name: 'Download template' }).click()),
    )
    const header = template[0] ?? []
    const at = (label: string) => header.findIndex((cell) => cell.replace(/\s*\*$/, '') === label)
    const line = (name: string, type: string, parent: string) => {
      const row = header.map(() => '')
      row[at('Name')] = name
      row[at('Type')] = type
      row[at('Parent')] = parent
      return row
    }
    const file = join(place.dataDir, 'organisations.xlsx')
    await writeFile(
      file,
      await writeSheet([
        header,
        line('Harbour East', 'Sub-department', 'Northgate Retail'),
        line('', 'Sub-department', 'Northgate Retail'),
        line('Harbour West', 'Class', 'Northgate Retail'),
      ]),
    )
    await wizard.getByRole('button', { name: 'Continue' }).click()
    await wizard.locator('input[type=file]').setInputFiles(file)
    await wizard.getByRole('button', { name: 'Check file' }).click()
    await wizard.getByText('3 rows read: 1 right, 2 with errors.').waitFor()
    expect(await place.database.query(`select from department where name = 'Harbour East'`)).toMatchObject({
      rowCount: 0,
    })
    await wizard.getByRole('button', { name: 'Import 1 row' }).click()
    await wizard.getByText(/1 imported, 2 failed/).waitFor()
    const failed = await readSheet(
      await saved(page, () => wizard.getByRole('button', { name: 'Download failed rows' }).click()),
    )
    expect(failed).toHaveLength(3)
    expect(failed[0]?.length).toBe(header.length + 1)
    expect(await place.database.query(`select from department where name = 'Harbour East'`)).toMatchObject({
      rowCount: 1,
    })
  })
})
