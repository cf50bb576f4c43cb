import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { protocol } from '@campanile/contract'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDevice, eventually, type TestDevice } from '../apps/server/src/test/mqtt.ts'
import { arrive, demoPassword, heading, type Installation, install, openBrowser, type Person } from './stage.ts'

const simulator = fileURLToPath(new URL('../apps/simulator/dist/simulator.js', import.meta.url))
const tills = ['RELEASE-1', 'RELEASE-2', 'RELEASE-3', 'RELEASE-4']
let browser: Browser
let place: Installation
let person: Person
let page: Page
let fleet: ChildProcess
let token = ''
let home = 0

const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
  const answer = await fetch(place.url + path, {
    method,
    headers: { SessionId: token, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const { code, data } = (await answer.json()) as { code: number; data: T }
  expect([path, code]).toEqual([path, 100000])
  return data
}
const codeFor = async (sn: string) => {
  await ask('POST', '/api/v3/device/FSK/create', { codes: `${sn};code-of-${sn};;`, deviceType: 2 })
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

/** Four devices of the simulator. */
beforeAll(async () => {
  browser = await openBrowser()
  place = await install()
  const signIn = { username: 'retail.admin', password: demoPassword }
  token = (await ask<{ token: string }>('POST', '/api/v1/login', signIn)).token
  const { rows } = await ask<{ rows: { id: number }[] }>('GET', '/api/v1/oauth/depts')
  home = rows[0]?.id ?? 0
  const lines = await Promise.all(tills.map(async (sn) => JSON.stringify({ sn, type: 2, code: await codeFor(sn) })))
  const file = join(place.dataDir, 'tills.jsonl')
  await writeFile(file, `${lines.join('\n')}\n`)
  fleet = spawn(
    process.execPath,
    [simulator, '--credentials', file, '--server', place.url, '--scenario', 'load', '--heartbeat', '2'],
    { stdio: 'ignore' },
  )
  await eventually(() => isOnline(tills), Boolean, 60_000)
  person = await arrive(browser, place.url, { as: 'retail.admin' })
  page = person.page
})
afterAll(async () => {
  fleet?.kill()
  await browser?.close()
  await place?.stop()
})

/** A device on the wire that says what the test wants. */
const connectStubborn = async (): Promise<TestDevice> => {
  const joined = await ask<{ password: string; mqttUrl: string }>('POST', '/device/v1/activate', {
    sn: 'STUBBORN',
    code: await codeFor('STUBBORN'),
  })
  const made = await connectDevice({ port: Number(new URL(joined.mqttUrl).port), sn: 'STUBBORN', ...joined })
  await made.subscribe(protocol.commandTopic('STUBBORN'))
  await eventually(() => isOnline(['STUBBORN']), Boolean, 60_000)
  return made
}

const button = (name: string | RegExp) => page.getByRole('button', { name })

describe('a large file', () => {
  it('pauses, is found again after F5, sends only what is missing, and becomes a resource', async () => {
    const path = join(place.dataDir, 'plan.bin')
    await writeFile(path, randomBytes(20 * 1024 * 1024))
    const line = await person.context.newCDPSession(page)
    await line.send('Network.enable')
    const speed = (uploadThroughput: number) =>
      line.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput,
      })
    await speed(6 * 1024 * 1024)
    await page.goto('/custom/upload')
    const about = page.getByRole('region', { name: 'What the files are' })
    await about.getByRole('combobox', { name: 'Use' }).click()
    await page.getByTitle('Data', { exact: true }).click()
    await about.getByRole('combobox', { name: 'Organisation' }).click()
    await page.locator('.ant-select-tree-title').first().click()
    await page.locator('input[type=file][multiple]').setInputFiles(path)
    const files = page.getByRole('list', { name: 'Files on their way' })
    const arrived = async () => {
      const { rows } = await place.database.query(`select cardinality(received) as parts from upload`)
      return Number((rows[0] as { parts: number } | undefined)?.parts ?? 0)
    }
    await expect.poll(arrived, { timeout: 90_000 }).toBeGreaterThan(0)
    await button('Pause plan.bin').click()
    await files.getByText(/Paused/).waitFor()
    await page.reload()
    await files.getByText(/choose the same one again, and only the rest is sent/).waitFor()
    const before = await arrived()
    expect(before).toBeLessThan(3)
    const sent: string[] = []
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.pathname.endsWith('/upload/part')) sent.push(url.searchParams.get('part') ?? '')
    })
    await speed(-1)
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button('Choose plan.bin again').click()])
    await chooser.setFiles(path)
    await files.getByText('Added to the resources as “plan.bin”.').waitFor({ timeout: 120_000 })
    expect(sent).toHaveLength(3 - before)
    const { rows } = await ask<{ rows: { name: string; size: number }[] }>('GET', '/api/v3/device/rcm/resource/list')
    expect(rows).toEqual([expect.objectContaining({ name: 'plan.bin', size: 20 * 1024 * 1024 })])
    await line.detach()
  })
})

const wizard = () => page.getByRole('dialog', { name: /^Release “/ })
const preview = () => wizard().getByRole('region', { name: 'Preview' })

/** A text for all devices of the enterprise, and the wizard for it with these devices alone. */
const begin = async (title: string, sns: readonly string[]) => {
  await ask('POST', '/api/v3/device/promotion/create', {
    title,
    text: 'Two for one until Sunday',
    range: 'devices',
    speed: 'normal',
    validUntil: new Date(Date.now() + 86_400_000).toISOString(),
    departmentId: home,
  })
  await page.goto('/promotion/list')
  await page
    .getByRole('table')
    .getByRole('button', { name: `Actions for ${title}` })
    .click()
  await page.getByRole('menuitem', { name: 'Release' }).click()
  await wizard().getByText('Choose whom it is for').waitFor()
  await wizard().getByRole('button', { name: 'Choose devices' }).click()
  const picker = page.getByRole('dialog').filter({ has: page.getByRole('tab', { name: 'Paste serial numbers' }) })
  await picker.getByRole('tab', { name: 'Paste serial numbers' }).click()
  await picker.getByLabel('Serial numbers, separated').fill(sns.join('\n'))
  await picker.getByRole('button', { name: 'Add serial numbers' }).click()
  await picker.getByRole('button', { name: `Use ${sns.length} device` }).click()
}

describe('a release', () => {
  it('says whom it hits, goes out in waves and ends on its page, device by device', async () => {
    await begin('Autumn offer', tills)
    const chosen = wizard().getByRole('region', { name: 'Chosen devices' })
    await chosen.getByRole('textbox', { name: 'Serial number' }).fill('release-3')
    await expect.poll(() => chosen.getByRole('row').count()).toBe(2)
    await chosen.getByRole('textbox', { name: 'Serial number' }).fill('')
    await wizard().getByText('Halves', { exact: true }).click()
    await preview().getByText('2 waves').waitFor()
    await preview()
      .getByText(/^4 will receive it/)
      .waitFor()
    await button('Release to 4 devices').click()
    await heading(page, 'Autumn offer → 4 devices').waitFor()
    const waves = page.getByRole('list', { name: 'Waves' }).getByRole('listitem')
    for (const at of [0, 1]) await waves.nth(at).getByText('2 of 2 succeeded').waitFor({ timeout: 60_000 })
    await page.locator('.page-sub').getByText('Success').waitFor()
    const devices = page.getByRole('region', { name: 'Devices' })
    await devices.getByRole('button', { name: 'Succeeded 4' }).click()
    for (const sn of tills)
      await devices
        .getByRole('row', { name: new RegExp(sn) })
        .getByText('100 %')
        .waitFor()
    await page.getByRole('region', { name: 'Live' }).getByText('Ended', { exact: true }).waitFor()
    await page.goto('/release/list')
    await page
      .getByRole('row', { name: /Autumn offer/ })
      .getByText('Success')
      .waitFor()
  })

  it('tells why a device failed, and that it did it when tried again', async () => {
    const stubborn = await connectStubborn()
    await begin('Winter offer', ['STUBBORN'])
    await wizard().getByLabel('Tries again by itself').fill('0')
    await button('Release to 1 device').click()
    await heading(page, 'Winter offer → 1 device').waitFor()
    const told = () =>
      stubborn.received.flatMap((packet) =>
        packet.cmd === 'publish' ? [JSON.parse(String(packet.payload)) as protocol.CommandMessage] : [],
      )
    const reply = async (nth: number, word: object) => {
      const { id } = await stubborn.until(() => told()[nth], 30_000)
      await stubborn.publish(protocol.upTopic('STUBBORN', 'reply'), { id, ...word })
    }
    await reply(0, { state: 'failed', error: 'notEnoughSpace: 96 MB free' })
    const reasons = page.getByRole('region', { name: 'Reasons of failure' })
    await reasons.getByText('Not enough space').waitFor({ timeout: 30_000 })
    await reasons.getByText('96 MB free').waitFor()
    await reasons.getByRole('button', { name: 'See devices' }).click()
    const row = page.getByRole('region', { name: 'Devices' }).getByRole('row', { name: /STUBBORN/ })
    await row.getByText('Failed', { exact: true }).waitFor()
    await button('Retry failed 1').click()
    await reply(1, { state: 'done' })
    await page.locator('.page-sub').getByText('Success').waitFor({ timeout: 30_000 })
    stubborn.goodbye()
    expect(person.complaints.filter((text) => !text.includes('Failed to load resource'))).toEqual([])
  })
})
