import { type ChildProcess, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { protocol } from '@campanile/contract'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDevice, eventually, type TestDevice } from '../apps/server/src/test/mqtt.ts'
import { arrive, demoPassword, heading, type Installation, install, openBrowser, type Person } from './stage.ts'

const simulator = fileURLToPath(new URL('../apps/simulator/dist/simulator.js', import.meta.url))
let browser: Browser
let place: Installation
let person: Person
let page: Page
let fleet: ChildProcess
let stubborn: TestDevice
let token = ''

const ask = async <T>(path: string, body: object): Promise<T> => {
  const headers = { 'content-type': 'application/json', SessionId: token }
  const answer = await fetch(place.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const { code, data } = (await answer.json()) as { code: number; data: T }
  expect([path, code]).toEqual([path, 100000])
  return data
}
const codeFor = async (sn: string) => {
  await ask('/api/v3/device/FSK/create', { codes: `${sn};code-of-${sn};;`, deviceType: 2 })
  return `code-of-${sn}`
}
const isOnline = async (sns: readonly string[]) => {
  const { rows } = await place.database.query(
    `select count(*)::int as there from device join device_state on device_id = id
     where sn = any($1) and iot_status = 'online'`,
    [sns],
  )
  return (rows[0] as { there: number }).there === sns.length
}

/** Two devices of the simulator, one on the wire that says what the test wants, and one that never comes. */
beforeAll(async () => {
  browser = await openBrowser()
  place = await install()
  token = (await ask<{ token: string }>('/api/v1/login', { username: 'retail.admin', password: demoPassword })).token
  const lines = await Promise.all(
    ['TILL-1', 'TILL-2'].map(async (sn) => JSON.stringify({ sn, type: 2, code: await codeFor(sn) })),
  )
  const file = join(place.dataDir, 'tills.jsonl')
  await writeFile(file, `${lines.join('\n')}\n`)
  fleet = spawn(
    process.execPath,
    [simulator, '--credentials', file, '--server', place.url, '--scenario', 'load', '--heartbeat', '2'],
    { stdio: 'ignore' },
  )
  const joined = await ask<{ password: string; mqttUrl: string }>('/device/v1/activate', {
    sn: 'STUBBORN',
    code: await codeFor('STUBBORN'),
  })
  stubborn = await connectDevice({ port: Number(new URL(joined.mqttUrl).port), sn: 'STUBBORN', ...joined })
  await stubborn.subscribe(protocol.commandTopic('STUBBORN'))
  await ask('/device/v1/activate', { sn: 'ABSENT', code: await codeFor('ABSENT') })
  await ask('/api/v3/device/task/create', { command: 'reboot', sns: ['ABSENT'] })
  await eventually(() => isOnline(['TILL-1', 'TILL-2', 'STUBBORN']), Boolean, 60_000)
  person = await arrive(browser, place.url, { as: 'retail.admin' })
  page = person.page
})
afterAll(async () => {
  fleet?.kill()
  stubborn?.goodbye()
  await browser?.close()
  await place?.stop()
})

/** What the device on the wire was last told, and its answer. */
const replyOf = async (state: 'acknowledged' | 'done' | 'failed', nth: number, rest: object = {}) => {
  const told = () =>
    stubborn.received.flatMap((packet) =>
      packet.cmd === 'publish' ? [JSON.parse(String(packet.payload)) as protocol.CommandMessage] : [],
    )
  const message = await stubborn.until(() => told()[nth], 30_000)
  await stubborn.publish(protocol.upTopic('STUBBORN', 'reply'), { id: message.id, state, ...rest })
  return message
}
const dialog = () => page.getByRole('dialog').last()
/** By pasting serials. */
const pick = async (sns: readonly string[]) => {
  const picker = page.getByRole('dialog').filter({ has: page.getByRole('tab', { name: 'Paste serial numbers' }) })
  await picker.getByRole('tab', { name: 'Paste serial numbers' }).click()
  await picker.getByLabel('Serial numbers, separated').fill(sns.join('\n'))
  await picker.getByRole('button', { name: 'Add serial numbers' }).click()
  await picker.getByRole('button', { name: `Use ${sns.length} device` }).click()
}
const button = (name: string | RegExp) => page.getByRole('button', { name })

const composer = () => page.getByRole('dialog', { name: /^Tell / })
const preview = () => composer().getByRole('region', { name: 'Preview' })

describe('a batch', () => {
  it('names who is refused before anything is sent, writes them down, and ends on the screen as it ends', async () => {
    await page.goto('/device/batch')
    await page.getByRole('region', { name: 'Recent tasks' }).waitFor()
    await button('Add devices').click()
    await pick(['TILL-1', 'TILL-2', 'ABSENT'])
    await page.getByRole('link', { name: 'ABSENT' }).waitFor()
    await button('Tell 3 devices').click()
    await composer().getByRole('button', { name: 'Restart device' }).click()
    await preview()
      .getByText(/^2 will receive it/)
      .waitFor()
    const refused = preview().getByRole('list', { name: 'Refused' }).getByRole('listitem')
    expect(await refused.allInnerTexts()).toEqual([expect.stringMatching(/\(93022\)[\s\S]*ABSENT/)])
    const { rows } = await place.database.query(`select from command where sn like 'TILL%'`)
    expect(rows).toHaveLength(0)
    await composer().getByRole('button', { name: 'Send to 2 devices' }).click()
    await composer().getByText('2 succeeded').waitFor({ timeout: 60_000 })
    await composer().getByRole('link', { name: 'Open the task' }).click()
    await heading(page, 'Task detail').waitFor()
    expect(await page.getByRole('row', { name: /TILL-1/ }).innerText()).toContain('Done')
    // Who was refused comes first, with the reason; its figure leads to it alone.
    await page.getByRole('row').nth(1).filter({ hasText: 'ABSENT' }).getByText('Refused').waitFor()
    await page.getByRole('status').getByRole('button', { name: '1 refused' }).click()
    await page.getByRole('row', { name: /TILL-1/ }).waitFor({ state: 'detached' })
    await page.getByRole('row', { name: /ABSENT/ }).waitFor()
  })
})

describe('a task', () => {
  it('shows why a device failed, and that it did it when tried again', async () => {
    await page.goto('/deviceTask/list')
    await button('New task').click()
    await composer().getByRole('button', { name: 'Paste serial numbers' }).click()
    await pick(['TILL-1', 'STUBBORN', 'ABSENT'])
    await composer().getByText('3 devices in all, none twice').waitFor()
    await composer().getByRole('button', { name: 'Message', exact: true }).click()
    await composer().getByRole('button', { name: 'Send', exact: true }).click()
    await composer().getByText('Enter a value.').waitFor()
    await composer().getByRole('textbox', { name: 'Text' }).fill('Stocktaking at eight')
    await composer().getByRole('button', { name: 'Send to 3 devices' }).waitFor()
    await composer().getByRole('button', { name: 'Remove Serial numbers' }).click()
    await composer().getByRole('button', { name: 'Paste serial numbers' }).click()
    await pick(['TILL-1', 'STUBBORN'])
    await composer().getByRole('button', { name: 'Send to 2 devices' }).click()
    const told = await replyOf('failed', 0, { error: 'the screen is broken' })
    expect(told.args).toMatchObject({ text: 'Stocktaking at eight' })
    await composer().getByText('1 failed').waitFor()
    await composer().getByRole('link', { name: 'Open the task' }).click()
    const row = page.getByRole('row', { name: /STUBBORN/ })
    await row.getByText('the screen is broken').waitFor()
    const head = page.getByRole('region', { name: /^\d{8}-\d+$/ })
    await head.getByText('Partly successful').waitFor({ timeout: 30_000 })
    await row.getByRole('button', { name: 'Actions for STUBBORN' }).click()
    await page.getByRole('menuitem', { name: 'Retry' }).click()
    await dialog().getByRole('button', { name: 'Send to 1 device again' }).click()
    const again = await replyOf('done', 1)
    expect(again.id).not.toBe(told.id)
    await row.getByText('Done').waitFor()
    await head.getByText('2 succeeded').waitFor()
    await row.getByRole('button', { name: 'Attempt 2' }).click()
    await dialog()
      .getByRole('row', { name: /the screen is broken/ })
      .waitFor()
    await page.keyboard.press('Escape')
  })

  it('that is planned for later can be called off, by a button that reads like no other', async () => {
    const sendTime = new Date(Date.now() + 3_600_000).toISOString()
    const order = { command: 'reboot', sns: ['TILL-1', 'TILL-2'], sendTime }
    const { id } = await ask<{ id: number }>('/api/v3/device/task/create', order)
    await page.goto(`/deviceTask/detail/${id}`)
    await page.getByText(/^Begins \d{4}-/).waitFor()
    await page.getByText('2 devices will receive it').waitFor()
    const meant = page.getByRole('region', { name: 'Who is meant' })
    await meant.getByText('looked up anew when it begins').waitFor()
    await meant.getByRole('row', { name: /TILL-2/ }).waitFor()
    await button('Cancel task').click()
    await dialog().getByRole('button', { name: 'Leave it planned' }).waitFor()
    const names = await dialog().getByRole('button').allInnerTexts()
    expect(names.filter(Boolean)).toEqual(['Leave it planned', 'Cancel task'])
    await dialog().getByRole('button', { name: 'Cancel task' }).click()
    await page.getByText('2 cancelled').waitFor()
    await page.getByText('No device has been told anything.').waitFor()
  })

  it('waits for the maintenance window that is set in the form of the organisation', async () => {
    const { rows } = await place.database.query(
      `select department_id as id, zone_of(department_id) as zone from sys_user where username = 'retail.admin'`,
    )
    const { id, zone } = rows[0] as { id: string; zone: string }
    const clock = (hours: number) =>
      new Date(Date.now() + hours * 3_600_000).toLocaleTimeString('en-GB', { timeZone: zone, timeStyle: 'short' })
    const [from, to] = [clock(3), clock(5)] as const
    const hours = `Every day ${from}–${to} (${zone})`
    await page.goto(`/org/view/${id}`)
    await button('Edit').click()
    const form = page.getByRole('dialog', { name: 'Edit organisation' })
    await form.getByLabel('Maintenance from').fill(from)
    await form.getByLabel('Maintenance from').press('Enter')
    await form.getByLabel('Maintenance until').fill(to)
    await form.getByLabel('Maintenance until').press('Enter')
    await form.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText(hours).waitFor()
    await page.goto('/deviceTask/list')
    await button('New task').click()
    await composer().getByRole('button', { name: 'Paste serial numbers' }).click()
    await pick(['TILL-1', 'TILL-2'])
    await composer().getByRole('button', { name: 'Restart device' }).click()
    await composer()
      .getByRole('radio', { name: /^In the maintenance window/ })
      .check()
    await preview().getByRole('list', { name: 'Maintenance windows' }).getByText(hours).waitFor()
    await composer().getByRole('button', { name: 'Plan for 2 devices' }).click()
    await composer()
      .getByText(/^Task \S+ begins .* for 2 devices\./)
      .waitFor()
    await composer().getByRole('link', { name: 'Open the task' }).click()
    await page.getByText(`In the maintenance window: ${hours}`).waitFor()
    await button('Cancel task').click()
    await dialog().getByRole('button', { name: 'Cancel task' }).click()
    await page.getByText('2 cancelled').waitFor()
  })

  it('is given up where its device forgot it, and makes room for the opposite', async () => {
    const { id } = await ask<{ id: number }>('/api/v3/device/task/create', { command: 'lock', sns: ['STUBBORN'] })
    await replyOf('acknowledged', 2)
    await page.goto(`/deviceTask/detail/${id}`)
    const row = page.getByRole('row', { name: /STUBBORN/ })
    await row.getByText('In progress').waitFor()
    await row.getByRole('button', { name: 'Actions for STUBBORN' }).click()
    await page.getByRole('menuitem', { name: 'Give up' }).click()
    await dialog().getByText('may still do it').waitFor()
    await dialog().getByRole('button', { name: 'Give up' }).click()
    await row.getByText('Given up by a person').waitFor()
    await row.getByText('Cancelled').waitFor()
    await ask('/api/v3/device/task/create', { command: 'unlock', sns: ['STUBBORN'] })
    await replyOf('done', 2)
    await row.getByText('Given up; the device did it after all').waitFor()
    await replyOf('done', 3)
  })
})

describe('somebody new to the fleet', () => {
  it('finds a device by a part of its number and restarts one of its apps, chosen by name', async () => {
    await page.goto('/home')
    await page.getByRole('navigation', { name: 'Main menu' }).waitFor()
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search and commands' })
    await palette.getByRole('combobox').fill('ILL-1')
    await palette.getByRole('option', { name: /^TILL-1 Online/ }).click()
    await heading(page, 'TILL-1').waitFor()
    await button('Command').click()
    await page.getByRole('menuitem', { name: 'Restart app' }).click()
    await composer()
      .getByRole('radio', { name: /Printer/ })
      .check()
    await composer().getByRole('button', { name: 'Send to TILL-1' }).click()
    await composer().getByText('1 succeeded').waitFor({ timeout: 30_000 })
    const { rows } = await place.database.query(
      `select row_to_json(c)::text as told from command c where sn = 'TILL-1' order by id desc limit 1`,
    )
    expect(rows[0]).toMatchObject({ told: expect.stringContaining('org.campanile.printer') })
    await composer().getByRole('button', { name: 'Close' }).first().click()
  })

  it('filters, saves that as a view, and tells all that match, also those on no page it saw', async () => {
    await page.goto('/device/list?pageSize=10')
    await page.getByRole('textbox', { name: 'Serial number' }).fill('TILL-')
    await page.waitForURL((url) => url.searchParams.get('sn') === 'TILL-')
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Save view' }).click()
    await dialog().getByRole('textbox', { name: 'Name' }).fill('Our tills')
    await dialog().getByRole('button', { name: 'Save view' }).click()
    await page.waitForURL((url) => url.searchParams.has('view'))
    const view = new URL(page.url()).searchParams.get('view')
    await page.goto(`/device/list?sn=TILL-&view=${view}&pageSize=1`)
    await expect.poll(() => page.getByRole('rowheader').allInnerTexts()).toEqual(['TILL-1'])
    await page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('button', { name: /^Our tills/ })
      .waitFor()
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    const bar = page.getByRole('region', { name: 'Selection' })
    await bar.getByRole('button', { name: 'Select all 2 matching' }).click()
    await bar.getByText('2 selected').waitFor()
    await bar.getByRole('button', { name: 'Message' }).click()
    await composer().getByRole('textbox', { name: 'Text' }).fill('Closing early today')
    await composer().getByRole('button', { name: 'Send to 2 devices' }).click()
    await composer().getByText('2 succeeded').waitFor({ timeout: 30_000 })
    await composer().getByRole('button', { name: 'Close' }).first().click()
    expect(person.complaints).toEqual([])
  })

  it.each([
    ['on a phone', 390, 844],
    ['at 200 % of a usual window', 720, 450],
  ])('finds a device and tells it something %s', async (_, width, height) => {
    await page.setViewportSize({ width, height })
    await page.goto('/device/list')
    await page.getByRole('textbox', { name: 'Serial number' }).fill('ILL-2')
    await page.waitForURL((url) => url.searchParams.get('sn') === 'ILL-2')
    await page.getByRole('checkbox', { name: 'Select TILL-2' }).check()
    const bar = page.getByRole('region', { name: 'Selection' })
    await bar.getByText('1 selected').waitFor()
    await bar.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Message' }).click()
    await composer().getByRole('textbox', { name: 'Text' }).fill('Closing early today')
    await composer().getByRole('button', { name: 'Send to TILL-2' }).click()
    await composer().getByText('1 succeeded').waitFor({ timeout: 30_000 })
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(await wide()).toBeLessThanOrEqual(0)
    await composer().getByRole('button', { name: 'Close' }).first().click()
    await page.setViewportSize({ width: 1440, height: 900 })
  })
})

describe('settings', () => {
  it('are pushed, told by device, kept in a history and rolled back', async () => {
    const push = async () => {
      await button('Push to devices').click()
      await button('Choose devices').click()
      await pick(['TILL-1'])
      await dialog().getByRole('button', { name: 'Preview' }).click()
      await dialog()
        .getByRole('button', { name: /send to 1 device/ })
        .click()
      await dialog().getByText('1 succeeded').waitFor({ timeout: 30_000 })
      await dialog().getByRole('button', { name: 'Close' }).last().click()
    }
    const setVolume = async (volume: string) => {
      await button('Edit items').click()
      await dialog().getByLabel('Volume').fill(volume)
      await dialog().getByRole('button', { name: 'Save changes' }).click()
      await dialog().waitFor({ state: 'detached' })
    }
    await page.goto('/device/settings')
    await button('Add settings').first().click()
    await dialog().getByRole('textbox', { name: 'Name' }).fill('Quiet shops')
    await dialog().getByRole('combobox', { name: 'Department' }).fill('Northgate')
    await page.getByRole('treeitem').first().click()
    await dialog().getByRole('button', { name: 'Add settings' }).click()
    await heading(page, 'Quiet shops').waitFor()
    await setVolume('30')
    await push()
    await page.getByRole('row', { name: /TILL-1.*Synced/ }).waitFor()
    await setVolume('50')
    await page.getByRole('row', { name: /TILL-1.*Not synced/ }).waitFor()
    await push()
    await page.getByRole('row', { name: /TILL-1.*Synced.*Version 2/ }).waitFor()
    await button('History').click()
    await heading(page, 'Setting history').waitFor()
    await page
      .getByRole('row', { name: /TILL-1/ })
      .first()
      .waitFor()
    const changes = await page.getByRole('row', { name: /TILL-1/ }).allInnerTexts()
    expect(changes.map((text) => text.split(/\s*\t\s*/).slice(4, 8))).toEqual([
      ['2', 'Volume', '30', '50'],
      ['1', 'Volume', '–', '30'],
    ])
    await page.goBack()
    await button('Roll back to version 1').click()
    await dialog().getByRole('button', { name: 'Roll back' }).click()
    await page.getByText('Version 3').first().waitFor()
    expect(await page.getByRole('row', { name: /Volume/ }).innerText()).toMatch(/50\s+30/)
    await button('Push to the one that is behind').click()
    await dialog().getByRole('button', { name: 'Preview' }).click()
    await dialog().getByText('1 device will receive it').waitFor()
    await dialog().getByRole('button', { name: 'Cancel' }).click()
  })
})

describe('a broker task', () => {
  it('is refused with broken JSON at its field, and taken with whole', async () => {
    await page.goto('/device/broker/task')
    await button('New broker task').first().click()
    await composer().getByRole('button', { name: 'Paste serial numbers' }).click()
    await pick(['TILL-1', 'TILL-2'])
    await composer().getByRole('textbox', { name: 'Name' }).fill('Blink')
    await composer().getByRole('combobox', { name: 'Topic or command' }).fill('lamp/blink')
    await composer().getByRole('textbox', { name: 'Payload (JSON)' }).fill('{"times": 3')
    await composer().getByRole('button', { name: 'Send', exact: true }).click()
    await composer().getByText('The content of the command is not valid JSON').waitFor()
    await composer().getByText('Not JSON at line 1').waitFor()
    await composer().getByRole('textbox', { name: 'Payload (JSON)' }).fill('{"times": 3}')
    await composer().getByRole('combobox', { name: 'QoS' }).click()
    await page.getByTitle('0 (at most once)').click()
    await composer().getByRole('button', { name: 'Send to 2 devices' }).click()
    await composer().getByText('2 succeeded').waitFor({ timeout: 30_000 })
    await composer().getByRole('link', { name: 'Open the task' }).click()
    await heading(page, 'Success list').waitFor()
    await page.getByText('QoS 0 (at most once)').waitFor()
    const answer = page.getByRole('row', { name: /TILL-1/ })
    expect(await answer.innerText()).toContain('Echo: 2')
    await answer.getByRole('button', { name: 'View' }).click()
    await page
      .getByRole('dialog', { name: 'Result' })
      .getByText(/"?times"?:\s*3/)
      .waitFor()
    expect(person.complaints).toEqual([])
  })
})
