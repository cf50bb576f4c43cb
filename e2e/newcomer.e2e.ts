import { createHmac } from 'node:crypto'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { loadSecrets } from '../apps/server/src/platform/secrets.ts'
import { adminPassword } from './server.ts'
import { arrive, fillSignIn, type Installation, install, openBrowser, type Person, typed } from './stage.ts'

let browser: Browser
let place: Installation
let person: Person
beforeAll(async () => {
  browser = await openBrowser()
  place = await install({ as: 'new', env: { CAMPANILE_CAPTCHA: 'on' } })
  person = await arrive(browser, place.url)
})
afterAll(async () => {
  await browser?.close()
  await place?.stop()
})

describe('the verification picture', () => {
  it('wants its characters, and there is a new picture after each try', async () => {
    const { page } = person
    const drawn = page.waitForResponse((response) => response.url().endsWith('/api/v1/captcha'))
    await page.goto('/login')
    const first = ((await (await drawn).json()) as { data: { uuid: string } }).data.uuid
    const redrawn = page.waitForResponse((response) => response.url().endsWith('/api/v1/captcha'))
    await page.getByLabel('Verification code').fill('????')
    await fillSignIn(page, 'admin', adminPassword)
    const second = ((await (await redrawn).json()) as { data: { uuid: string } }).data.uuid
    expect(second).not.toBe(first)
    await page
      .getByText(/verification code/i)
      .first()
      .waitFor()
    await page.getByLabel('Verification code').fill(await readPicture(second))
    await page.getByLabel('Password', { exact: true }).fill(adminPassword)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL((url) => url.pathname === '/home')
    // A browser mentions the try that was refused.
    person.complaints.length = 0
  })

  /** What a person sees. A test cannot, so it tries all answers against the keyed hash with the installation's own key. */
  const readPicture = async (uuid: string) => {
    const { rows } = await place.database.query<{ answer_hash: Buffer }>(
      'select answer_hash from captcha where uuid = $1',
      [uuid],
    )
    const { signingKey } = await loadSecrets(place.dataDir)
    const alphabet = [...'ACEFHJKLMNPRTUVWXY34679']
    for (const a of alphabet)
      for (const b of alphabet)
        for (const c of alphabet)
          for (const d of alphabet) {
            const hash = createHmac('sha256', signingKey).update(`captcha ${uuid} ${a}${b}${c}${d}`).digest()
            if (rows[0]?.answer_hash.equals(hash)) return `${a}${b}${c}${d}`.toLowerCase()
          }
    throw new Error('no answer fits the picture')
  }
})

describe('a newcomer without a device', () => {
  it('makes a code, runs the very commands shown, and sees the device come without reloading', async () => {
    const { page } = person
    await page.getByRole('heading', { name: 'Connect your first device' }).waitFor()
    await page.getByRole('button', { name: 'Create code' }).click()
    await page.getByText('1 to 64 letters, digits, - _ . or :').waitFor()
    await page.getByLabel('Serial number').fill('FIRST-1')
    await page.getByRole('button', { name: 'Create code' }).click()
    const commands = page.locator('.connect-first pre')
    await commands.nth(1).waitFor()
    expect(await commands.first().innerText()).toMatch(
      new RegExp(`^curl -fsSo campanile-agent.mjs ${place.url}/device/v1/agent.mjs\n.* join ${place.url} --sn FIRST-1`),
    )
    onTestFinished(typed(await commands.nth(1).innerText()))
    const total = page.locator('.fleet-figures:visible li').filter({ hasText: 'All devices' })
    await total.locator('.figure-value').getByText('1', { exact: true }).waitFor({ timeout: 60_000 })
    expect(await page.getByRole('heading', { name: 'Connect your first device' }).count()).toBe(0)
    expect(person.complaints).toEqual([])
  })
})
