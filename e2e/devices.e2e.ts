import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { arrive, chooseMore, heading, type Installation, install, openBrowser, type Person, saved } from './stage.ts'
import { readSheet, writeSheet } from './workbook.ts'

const run = promisify(execFile)
let browser: Browser
let place: Installation
let person: Person
let page: Page
const clients = new Set<ChildProcess>()
beforeAll(async () => {
  browser = await openBrowser()
  place = await install({ as: 'living' })
  person = await arrive(browser, place.url, { as: 'retail.admin' })
  page = person.page
})
afterAll(async () => {
  for (const client of clients) client.kill()
  await browser?.close()
  await place?.stop()
})

const drawer = () => page.getByRole('dialog')
const chooseDepartment = async (within: Locator, label: string, name: string) => {
  await within.getByRole('combobox', { name: label }).fill(name)
  await page
    .getByRole('treeitem', { name: new RegExp(name) })
    .first()
    .click()
}
const serials = () => page.getByRole('rowheader').allInnerTexts()
const filterBy = async (text: string) => {
  await page.getByRole('textbox', { name: 'Serial number' }).fill(text)
  await page.waitForURL((url) => url.searchParams.get('sn') === text)
}
const addDevice = async (sn: string) => {
  await page.getByRole('button', { name: 'Add device' }).first().click()
  await drawer().getByRole('textbox', { name: 'Serial number' }).fill(sn)
  await drawer().getByRole('textbox', { name: 'Batch number' }).fill('E2E')
  await chooseDepartment(drawer(), 'Department', 'Store Glenwood')
  await drawer().getByRole('combobox', { name: 'Device type' }).click()
  await page.locator('.ant-select-item-option').filter({ hasText: 'Cash register' }).click()
  await drawer().getByRole('button', { name: 'Add device' }).click()
}

describe('the traffic of a device', () => {
  const date = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)
  const choose = async (from: string, to: string) => {
    const ends = page.locator('.ant-picker-range input')
    await ends.first().click()
    await ends.first().fill(from)
    await ends.first().press('Enter')
    await ends.last().fill(to)
    await ends.last().press('Enter')
    await page.getByRole('heading', { name: `Traffic ${from} – ${to}` }).waitFor()
  }
  /** How far from the edges of the chart its first and last bar stand, of the width that one bar has. */
  const edges = () =>
    page.locator('.bars ol').evaluate((list) => {
      const box = list.getBoundingClientRect()
      const bars = [...list.querySelectorAll('.bars-column')].map((bar) => bar.getBoundingClientRect())
      const share = box.width / bars.length
      return [
        ((bars[0]?.left ?? Number.NaN) - box.left) / share,
        (box.right - (bars.at(-1)?.right ?? Number.NaN)) / share,
        bars.length,
      ]
    })

  it('in any days fills its chart from the first to the last, with their sum, and claims no month', async () => {
    const { rows } = await place.database.query<{ sn: string }>(`select t.sn from device t
      join device_state s on s.device_id = t.id join department d on d.id = t.department_id
      where s.values ? 'mobileUp' and d.path <@ (select own.path from sys_user u
        join department own on own.id = u.department_id where u.username = 'retail.admin') order by t.sn limit 1`)
    expect(rows).toHaveLength(1)
    await page.goto(`/device/traffic/${rows[0]?.sn}`)
    await page.getByRole('heading', { name: /^Mobile data in 20/ }).waitFor()
    const month = page.getByRole('textbox', { name: 'Month' })
    expect(await month.inputValue()).toBe(date(0).slice(0, 7))
    for (const back of [14, 0]) {
      await choose(date(back), date(0))
      const [left = 1, right = 1, count] = await edges()
      expect(count).toBe(back + 1)
      expect(left).toBeCloseTo(right, 1)
      expect(left).toBeLessThan(0.5)
      expect(await month.inputValue()).toBe('')
    }
    await page
      .locator('.limit-card .value-figure')
      .filter({ hasText: /\d .?B$/ })
      .waitFor()
  })
})

describe('the list', () => {
  const bar = () => page.getByRole('region', { name: 'Selection' })
  const views = () => page.getByRole('navigation', { name: 'Views' })
  const placeOf = (what: Locator) => what.boundingBox()
  const firstRow = () => page.locator('[data-row]').first()
  const tick = (nth: number) => page.locator('[data-row] .tick-box input').nth(nth)
  /** Where it begins: its width is as the values in it are. */
  const cornerOf = async (what: Locator) => {
    const { x, y } = (await what.boundingBox()) ?? {}
    return { x, y }
  }

  it('shows as many rows as the window holds, and how many there are in all beside its pages', async () => {
    await page.goto('/device/list')
    await firstRow().waitFor()
    const frame = page.locator('.list-frame')
    await expect
      .poll(() => frame.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight))
      .toBeLessThanOrEqual(0)
    const shown = (await serials()).length
    expect(shown).toBeGreaterThan(12)
    const { rows } = await place.database.query<{ n: number }>(`select count(*)::int as n from device t
      join department d on d.id = t.department_id where d.path <@ (select own.path from sys_user u
        join department own on own.id = u.department_id where u.username = 'retail.admin')`)
    await page.getByText(`1–${shown} of ${rows[0]?.n}`).waitFor()
    await page.getByRole('combobox', { name: 'Rows per page' }).getByText(`Fit window, ${shown} rows`).waitFor({
      state: 'attached',
    })
  })

  it('opens all filters beside it, scrolls them by themselves and shortens what they say', async () => {
    await page.setViewportSize({ width: 1280, height: 640 })
    const header = page.getByRole('banner')
    const before = await placeOf(header)
    await page.getByRole('button', { name: 'Filters' }).click()
    const last = drawer().getByRole('textbox').last()
    await last.scrollIntoViewIfNeeded()
    expect(await placeOf(header)).toEqual(before)
    expect(await page.evaluate(() => document.scrollingElement?.scrollTop)).toBe(0)
    await drawer()
      .getByRole('textbox', { name: 'Model' })
      .fill('a model whose name is so long that no row of filters has room')
    // A problem is called much like it, so it is looked for among the states.
    const states = drawer().getByRole('region', { name: 'IoT status' })
    await states.getByRole('checkbox', { name: 'Offline' }).click()
    await page.waitForURL((url) => url.searchParams.has('model') && url.searchParams.has('iotStatus'))
    await drawer()
      .getByRole('button', { name: /^Show [\d,]+ device/ })
      .click()
    // What is online of the whole fleet says nothing beside the total of a filter.
    expect(await page.getByText(/[\d,]+ online/).count()).toBe(0)
    const row = await placeOf(page.getByRole('search'))
    expect(row?.height).toBe(40)
    const remove = page.getByRole('button', { name: 'Remove filter: Model' })
    const [away, chip] = [await placeOf(remove), await placeOf(page.locator('.chip').filter({ has: remove }))]
    const end = (away?.x ?? 0) + (away?.width ?? 0)
    expect(end).toBeLessThanOrEqual((chip?.x ?? 0) + (chip?.width ?? 0) + 1)
    expect(end).toBeLessThanOrEqual((row?.x ?? 0) + (row?.width ?? 0))
    await remove.click()
    await page.waitForURL((url) => !url.searchParams.has('model') && url.searchParams.get('iotStatus') === 'offline')
  })

  it('calls a view changed once it is, not when it has just been saved', async () => {
    await views().getByRole('button', { name: 'Save view' }).click()
    await drawer().getByRole('textbox', { name: 'Name' }).fill('Away')
    await drawer().getByRole('button', { name: 'Save view' }).click()
    await page.waitForURL((url) => url.searchParams.has('view'))
    const tab = views().locator('[aria-current=page]')
    // How many rows it holds stands beside its name.
    const away = await page.locator('.page-sub').innerText()
    await expect.poll(() => tab.innerText()).toMatch(/^Away\s*\d+$/)
    expect((await tab.innerText()).replace(/\D/g, '')).toBe(away.replace(/^(\d+).*$/s, '$1'))
    await page.getByRole('columnheader', { name: 'Model' }).getByRole('button').click()
    await expect.poll(() => tab.innerText()).toMatch(/^Away · changed\s*\d+$/)
    await views().getByRole('button', { name: 'All' }).click()
    await page.waitForURL((url) => url.search === '')
    await views().getByRole('button', { name: 'Away', exact: true }).click()
    await page.waitForURL((url) => url.searchParams.get('iotStatus') === 'offline')
    await expect.poll(() => tab.innerText()).toMatch(/^Away\s*\d+$/)
    await views().getByRole('button', { name: 'All' }).click()
    await page.waitForURL((url) => url.search === '')
  })

  it('offers the kinds of devices the organisation has as views nobody saved', async () => {
    await views().getByRole('button', { name: 'Kiosk', exact: true }).click()
    await page.waitForURL((url) => url.search === '?deviceType=5')
    await expect.poll(() => views().locator('[aria-current=page]').innerText()).toMatch(/^Kiosk\s*\d+$/)
    await views().getByRole('button', { name: 'All', exact: true }).click()
    await page.waitForURL((url) => url.search === '')
  })

  it.each([
    [1280, 800],
    [900, 700],
    [720, 450],
    [640, 700],
    [390, 844],
  ])('at %i by %i keeps everything where it is when rows are ticked, and every button free', async (width, height) => {
    await page.setViewportSize({ width, height })
    await firstRow().waitFor()
    const before = await cornerOf(firstRow())
    await tick(0).check()
    await bar().waitFor()
    expect(await cornerOf(firstRow())).toEqual(before)
    const buttons = bar().getByRole('button')
    const placed = () => buttons.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()))
    const one = await placed()
    // What a click in the middle of each of them would hit.
    const free = await buttons.evaluateAll((all) =>
      all.every((each) => {
        const { left, top, width: wide, height: high } = each.getBoundingClientRect()
        const hit = document.elementFromPoint(left + wide / 2, top + high / 2)
        return hit !== null && each.contains(hit)
      }),
    )
    expect(free).toBe(true)
    await tick(1).check()
    await bar().getByText('2 selected').waitFor()
    expect((await placed()).slice(1)).toEqual(one.slice(1))
    await bar().getByRole('button', { name: 'Clear' }).click()
    expect(await cornerOf(firstRow())).toEqual(before)
  })

  it('is walked, ticked and opened with keys', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    const names = await serials()
    await heading(page, 'Devices').focus()
    for (const key of ['j', 'j', 'j', 'k', 'x']) await page.keyboard.press(key)
    await bar().getByText('1 selected').waitFor()
    expect(await page.getByRole('checkbox', { name: `Select ${names[1]}` }).isChecked()).toBe(true)
    await page.keyboard.press('Enter')
    await heading(page, names[1] ?? '').waitFor()
  })
})

describe('the registry', () => {
  it('takes a new device, refuses it a second time at its field, and finds several by their serials', async () => {
    await page.goto('/device/list')
    await addDevice('E2E-1')
    await drawer().waitFor({ state: 'detached' })
    await addDevice('E2E-1')
    await drawer()
      .getByText(/E2E-1 already exists.*\(30102\)/)
      .waitFor()
    await drawer().getByRole('textbox', { name: 'Serial number' }).fill('E2E-2')
    await drawer().getByRole('button', { name: 'Add device' }).click()
    await drawer().waitFor({ state: 'detached' })
    await filterBy('E2E-1/E2E-2')
    await expect.poll(serials).toEqual(['E2E-1', 'E2E-2'])
    await filterBy('E2E-2')
    await expect.poll(serials).toEqual(['E2E-2'])
  })

  it('imports the right rows of a file, leaves out what exists, and gives the others back with a reason', async () => {
    await chooseMore(page, 'Import')
    const [header = []] = await readSheet(
      await saved(page, () => drawer().getByRole('button', { name: 'Download template' }).click()),
    )
    const row = (sn: string, batch: string, department: string) =>
      header.map((cell) => {
        const label = cell.replace(/\s*\*$/, '')
        const known: Record<string, string> = {
          'Serial number': sn,
          'Batch number': batch,
          Department: department,
          'Device type': 'Robot',
        }
        return known[label] ?? ''
      })
    const file = join(place.dataDir, 'devices.xlsx')
    const rows = [
      row('E2E-3', 'E2E', 'Store Hartwell'),
      row('E2E/4', 'E2E', 'Store Hartwell'),
      row('E2E-5', '', 'Store Hartwell'),
      row('E2E-6', 'E2E', 'Nowhere at all'),
      row('E2E-1', 'E2E', 'Store Hartwell'),
    ]
    await writeFile(file, await writeSheet([header, ...rows]))
    await drawer().getByRole('button', { name: 'Continue' }).click()
    await drawer().locator('input[type=file]').setInputFiles(file)
    await drawer().getByRole('button', { name: 'Check file' }).click()
    await drawer()
      .getByText('5 rows read: 1 will be imported, 1 exist already and are left out, 3 with errors.')
      .waitFor()
    await drawer().getByRole('button', { name: 'Import 1 row' }).click()
    await drawer().getByText('1 imported, 3 failed, 1 skipped.').waitFor()
    const failed = await readSheet(
      await saved(page, () => drawer().getByRole('button', { name: 'Download failed rows' }).click()),
    )
    expect(failed.slice(1).map((cells) => cells.find((cell) => cell.startsWith('E2E')))).toEqual([
      'E2E/4',
      'E2E-5',
      'E2E-6',
      'E2E-1',
    ])
  })

  it('passes a device on to outside the organisation somebody has entered', async () => {
    await page.goto('/home')
    await page.getByRole('banner').getByRole('button').first().click()
    const found = page.waitForResponse((response) => response.url().includes('keyword=Store'))
    await page.getByLabel('Find an organisation').fill('Store Glenwood')
    await found
    await page.getByRole('tooltip').getByText('Store Glenwood').first().click()
    await page.waitForURL(/\/at\/\d+\/home/)
    await page.goto(page.url().replace('/home', '/device/list?sn=E2E-2'))
    await page.getByRole('checkbox', { name: 'Select E2E-2' }).check()
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Transfer' }).click()
    await chooseDepartment(drawer(), 'Target organisation', 'Northgate Retail')
    await drawer().getByRole('button', { name: 'Check devices' }).click()
    await drawer().getByRole('button', { name: 'Transfer 1 device' }).click()
    await drawer()
      .getByText(/1 device transferred to Northgate Retail/)
      .waitFor()
    await drawer().getByRole('button', { name: 'Close' }).last().click()
    await page.getByText('Nothing matches these filters.').waitFor()
    await page.getByRole('banner').getByRole('button').first().click()
    await page.getByRole('button', { name: 'Back to own organisation' }).click()
    await page.getByText('Operating on').first().waitFor({ state: 'detached' })
  })

  it('transfers what is ticked after a look at what will happen, and deletes several at once', async () => {
    await page.goto('/device/list?sn=E2E-2%2FE2E-3')
    for (const sn of ['E2E-2', 'E2E-3']) await page.getByRole('checkbox', { name: `Select ${sn}` }).check()
    const bar = page.getByRole('region', { name: 'Selection' })
    await bar.getByRole('button', { name: 'Transfer' }).click()
    // Before anything is chosen, whether devices or a file, and again before they go.
    const past = drawer().getByText(/without a past: its events, values and tasks stay with the former/)
    await past.waitFor()
    await drawer().getByText('Upload file').click()
    await past.waitFor()
    await drawer().getByText('Choose devices').click()
    await chooseDepartment(drawer(), 'Target organisation', 'Store Hartwell')
    await drawer().getByRole('button', { name: 'Check devices' }).click()
    // One of them is there already.
    await drawer()
      .getByText(/1 device goes to Store Hartwell. 1 cannot go/)
      .waitFor()
    await past.waitFor()
    await drawer().getByRole('button', { name: 'Transfer 1 device' }).click()
    await drawer()
      .getByText(/1 device transferred to Store Hartwell/)
      .waitFor()
    await drawer().getByRole('button', { name: 'Close' }).last().click()
    await expect.poll(() => page.getByRole('cell', { name: 'Store Hartwell' }).count()).toBe(2)

    await bar.getByRole('button', { name: /More/ }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await drawer()
      .getByRole('button', { name: /Delete 2 devices/ })
      .click()
    await page.getByText('Nothing matches these filters.').waitFor()
    const { rows } = await place.database.query(`select sn from device where sn like 'E2E%'`)
    expect(rows).toEqual([{ sn: 'E2E-1' }])
  })
})

const sn = 'E2E-1'
let who: string[]

/** A device nobody here wrote: the clients of Mosquitto, with what the activation answered. */
const activate = async () => {
  await place.database.query(
    `insert into activation_code (sn, activation_code, department_id)
     select sn, 'mosquitto', department_id from device where sn = $1`,
    [sn],
  )
  const response = await fetch(`${place.url}/device/v1/activate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sn, code: 'mosquitto' }),
  })
  const { data } = (await response.json()) as { data: { username: string; password: string; mqttUrl: string } }
  const { port } = new URL(data.mqttUrl)
  return ['-h', '127.0.0.1', '-p', port, '-i', sn, '-u', data.username, '-P', data.password, '-q', '1']
}

describe('a stranger’s device', () => {
  it('comes online in the open browser, its battery alive, does what a person clicks, and goes', async () => {
    await page.goto(`/device/list?sn=${sn}`)
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: sn }) })
    // As its state and in the column beside it: what was never activated is not offline.
    await expect.poll(() => row.getByText('Not activated').count()).toBe(2)
    const reloads: string[] = []
    page.on('framenavigated', (frame) => reloads.push(frame.url()))

    who = await activate()
    const speaking = spawn('mosquitto_pub', [...who, '-t', `v1/${sn}/up/state`, '-l'])
    clients.add(speaking)
    const tell = (battery: number) => speaking.stdin.write(`${JSON.stringify({ ts: Date.now(), battery })}\n`)
    await row.getByText('Online').waitFor()
    tell(64)
    await row.getByText('64 %').waitFor()
    tell(63)
    await row.getByText('63 %').waitFor()
    expect(reloads).toEqual([])

    await row.getByRole('link', { name: sn }).click()
    await heading(page, sn).waitFor()
    const battery = page.getByRole('region', { name: 'Battery' })
    await battery.getByText('63 %').waitFor()
    tell(62)
    await battery.getByText('62 %').waitFor()
    speaking.stdin.end()

    // It listens now instead of speaking: one serial number has one connection.
    const state = page.locator('.device-head')
    await state.getByText('Offline').waitFor()
    const listening = run('mosquitto_sub', [...who, '-t', `v1/${sn}/down/command`, '-C', '1', '-W', '60'])
    await state.getByText('Online').waitFor()
    // Neither lock nor unlock is offered twice, and what destroys stands last.
    await page.getByRole('button', { name: 'Command' }).click()
    const offered = await page.getByRole('menuitem').allInnerTexts()
    expect(offered.filter((name) => /^(Lock|Unlock)$/.test(name))).toEqual(['Lock'])
    expect(offered.slice(-3)).toEqual(['Wipe', 'Unbind', 'Switch server'])
    await page.getByRole('menuitem', { name: 'Restart device' }).click()
    await drawer()
      .getByRole('button', { name: `Send to ${sn}` })
      .click()
    const command = JSON.parse((await listening).stdout) as { id: string; name: string; expires: number }
    expect(command).toMatchObject({ name: 'reboot' })
    const answer = JSON.stringify({ id: command.id, state: 'done' })
    await run('mosquitto_pub', [...who, '-t', `v1/${sn}/up/reply`, '-m', answer])

    await drawer().getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('tab', { name: 'Tasks' }).click()
    const task = page.getByRole('row').filter({ hasText: 'Restart device' })
    await task.getByText('Done').waitFor()
    await page.getByRole('tab', { name: 'Timeline' }).click()
    for (const told of ['Activated', 'Connected', 'Disconnected', 'Restart device'])
      await page.getByRole('listitem').filter({ hasText: told }).first().waitFor()
  })

  it('that is turned away is told of, with what to do about it', async () => {
    const wrong = who.with(who.indexOf('-P') + 1, 'wrong')
    const knock = () => run('mosquitto_pub', [...wrong, '-t', `v1/${sn}/up/state`, '-m', '{}'])
    await expect(knock()).rejects.toThrow()
    await expect(knock()).rejects.toThrow()
    await page.goto('/device/list')
    await chooseMore(page, 'Device missing?')
    const refused = drawer().getByRole('row').filter({ hasText: sn })
    await refused.getByText('Wrong password').waitFor()
    await refused.getByText('Activate the device anew').waitFor()
    await refused.getByText(/^2since 20\d\d-/).waitFor()
    // The serial that was taken, above, is the only thing a browser may mention.
    expect(person.complaints.filter((each) => !each.includes('409 (Conflict)'))).toEqual([])
  })
})
