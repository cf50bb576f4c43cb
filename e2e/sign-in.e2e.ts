import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { stepAt, totpCode } from '../apps/server/src/domains/identity/totp.ts'
import { adminPassword } from './server.ts'
import { arrive, demoPassword, fillSignIn, heading, type Installation, install, openBrowser } from './stage.ts'

let browser: Browser
let place: Installation
beforeAll(async () => {
  browser = await openBrowser()
  place = await install()
})
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())))
afterAll(async () => {
  await browser?.close()
  await place?.stop()
})

describe('the guard', () => {
  it('sends strangers to the sign-in page and shows the agreements to anybody', async () => {
    const { page } = await arrive(browser, place.url)
    for (const path of ['/system/user', '/login/2fa', '/nowhere']) {
      await page.goto(path)
      await page.waitForURL('**/login?redirect=/home')
    }
    await page.goto('/privacy')
    await page.getByRole('button', { name: 'Service agreement' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/privacy')
  })

  it('keeps people who have signed in away from it, and wrong paths at 404', async () => {
    const person = await arrive(browser, place.url, { as: 'retail.operator' })
    await person.page.goto('/login')
    await person.page.waitForURL((url) => url.pathname === '/home')
    await person.page.goto('/nowhere/at/all')
    await person.page.waitForURL('**/404**')
    await person.page.getByText('/nowhere/at/all').waitFor()
    await person.page.goto('/system/user')
    await person.page.waitForURL('**/401**')
    expect(person.complaints).toEqual([])
  })

  it('asks for the agreement before anything is sent', async () => {
    const { page } = await arrive(browser, place.url)
    await page.goto('/login')
    await page.getByLabel('Username').fill('retail.admin')
    await page.getByLabel('Password', { exact: true }).fill(demoPassword)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Read and accept the agreement first').waitFor()
    await page.getByRole('button', { name: '简体中文' }).click()
    await page.getByRole('heading', { name: '登录' }).waitFor()
    await page.getByText('请先阅读并同意协议').waitFor()
    expect(await page.getByText('Read and accept').count()).toBe(0)
  })
})

describe('a wrong password', () => {
  it('tells what is left from the third on and locks at the fifth, until an administrator unlocks', async () => {
    const { page } = await arrive(browser, place.url)
    await page.goto('/login')
    for (const wrong of ['one', 'two']) await attempt(page, wrong)
    expect(await page.getByText(/attempts? left|Attempts left/).count()).toBe(0)
    await attempt(page, 'three')
    await page.getByText(/2 attempts left|locked: 2/).waitFor()
    await attempt(page, 'four')
    await page.getByText(/1 attempt left|locked: 1/).waitFor()
    await attempt(page, 'five')
    await page
      .getByText(/locked/i)
      .first()
      .waitFor()
    await attempt(page, demoPassword)
    await page
      .getByText(/in \d+ min/)
      .first()
      .waitFor()

    const admin = await arrive(browser, place.url, { as: 'logistics.admin' })
    await admin.page.goto('/system/user?username=logistics.operator')
    await admin.page.getByRole('button', { name: 'Actions for logistics.operator' }).click()
    await admin.page.getByRole('menuitem', { name: 'Unlock account' }).click()
    await admin.page.getByRole('cell', { name: 'Normal' }).waitFor()
    await attempt(page, demoPassword)
    await page.waitForURL((url) => url.pathname === '/home')
  })

  const attempt = async (page: Page, password: string) => {
    // Listening starts first: the answer may be there before the click has returned.
    const answered = page.waitForResponse((response) => response.url().endsWith('/api/v1/login'))
    await fillSignIn(page, 'logistics.operator', password)
    await answered
  }
})

describe('two-factor', () => {
  it('is enrolled on the personal page and then asked for', async () => {
    const { page } = await arrive(browser, place.url, { as: 'school.safety' })
    await page.goto('/personal')
    await page.getByRole('tab', { name: 'Password and authentication' }).click()
    await page.getByRole('button', { name: 'Enable two-factor' }).click()
    const dialog = page.getByRole('dialog')
    await dialog
      .getByLabel(/password/i)
      .first()
      .fill(demoPassword)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    const secret = (await dialog.getByText(/^[A-Z2-7 ]{32,}$/).innerText()).replaceAll(' ', '')
    await dialog.getByLabel('Six-digit code').fill(phone(secret, 0))
    await dialog.getByRole('button', { name: 'Enable two-factor' }).click()
    await dialog.getByText('Each code lets you in once').waitFor()
    await dialog.getByRole('checkbox', { name: 'I have saved them' }).check()
    await dialog.getByRole('button', { name: 'Finish' }).click()
    await page.getByRole('button', { name: 'Disable two-factor' }).waitFor()

    const again = await arrive(browser, place.url)
    await again.page.goto('/login')
    await fillSignIn(again.page, 'school.safety', demoPassword)
    await again.page.waitForURL('**/login/2fa')
    await again.page.reload()
    await again.page.getByLabel('Six-digit code').fill('000000')
    await again.page.getByRole('alert').first().waitFor()
    // The code that enrolled is spent: the next one must be waited for, or be the one after.
    await again.page.getByLabel('Six-digit code').fill(phone(secret, 1))
    await again.page.waitForURL((url) => url.pathname === '/home')
  })
})

/** The authenticator app: base32 as people type it, the code of the step now or `ahead`. */
const phone = (secret: string, ahead: number) => {
  const bits = [...secret]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  return totpCode(bytes, stepAt(new Date()) + ahead)
}

describe('a second factor that an administrator requires', () => {
  it('is set up by its owner at the next sign-in, on a phone too, and the recovery codes are shown once', async () => {
    const officer = await arrive(browser, place.url, { as: 'retail.safety' })
    await officer.page.goto('/system/user?username=retail.operator')
    await officer.page.getByRole('button', { name: /Actions for retail\.operator/ }).click()
    await officer.page.getByRole('menuitem', { name: 'Two-factor' }).click()
    await officer.page.getByRole('dialog').getByRole('button', { name: 'Require two-factor' }).click()
    await officer.page.getByRole('dialog').waitFor({ state: 'detached' })
    await officer.page.getByRole('cell', { name: 'To be set up' }).waitFor()
    expect(await officer.page.getByText(/^[A-Z2-7 ]{32,}$/).count()).toBe(0)

    const owner = await arrive(browser, place.url, { width: 390, height: 844 })
    const { page } = owner
    await page.goto('/login')
    await fillSignIn(page, 'retail.operator', demoPassword)
    await page.waitForURL('**/login/2fa')
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    // The secret is kept nowhere: who loads the page anew signs in anew, and is shown another.
    const before = await page.getByText(/^[A-Z2-7 ]{32,}$/).innerText()
    await page.reload()
    await page.waitForURL((url) => url.pathname === '/login')
    await fillSignIn(page, 'retail.operator', demoPassword)
    const secret = await page.getByText(/^[A-Z2-7 ]{32,}$/).innerText()
    expect(secret).not.toBe(before)
    await page.getByLabel('Six-digit code').fill(phone(secret.replaceAll(' ', ''), 0))
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
    expect(
      await page
        .getByRole('listitem')
        .filter({ hasText: /^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/ })
        .count(),
    ).toBe(10)
    await page.getByRole('button', { name: 'I have saved them, continue' }).click()
    await page.waitForURL((url) => url.pathname === '/home')
    expect(owner.complaints).toEqual([])
  })
})

describe('guesses at the six digits', () => {
  it('end in a lock that is told, and lead back to the sign-in page', async () => {
    const { page } = await arrive(browser, place.url)
    await page.goto('/login')
    await fillSignIn(page, 'school.safety', demoPassword)
    await page.waitForURL('**/login/2fa')
    for (let n = 0; n < 5; n++) {
      const answered = page.waitForResponse((response) => response.url().endsWith('/api/v1/loginWith2Fa'))
      const code = page.getByLabel('Six-digit code')
      // The field is emptied after a wrong code; the same digits once more would change nothing.
      await expect.poll(() => code.inputValue()).toBe('')
      await code.fill('000000')
      await answered
      if (n === 2) await page.getByText('locked: 2').waitFor()
    }
    await page.getByText('the account is now locked').waitFor()
    await page.waitForURL((url) => url.pathname === '/login')
    await page.getByLabel('Username').waitFor()
  })
})

describe('the mobile number', () => {
  it('is changed on a phone with the password and the code sent to it, and then signs in', async () => {
    const sent: { mobile: string; code: string }[] = []
    const gateway = createServer((request, response) => {
      let text = ''
      request.on('data', (chunk) => {
        text += chunk
      })
      request.on('end', () => {
        sent.push(JSON.parse(text))
        response.end('{}')
      })
    })
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
    const webhook = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/`
    await place.database.query(
      `insert into system_config (key, value) values ('smsWebhook', to_jsonb($1::text)), ('allowPrivateServer', 'true')
       on conflict (key) do update set value = excluded.value`,
      [webhook],
    )
    // The server reads its settings anew every second.
    await new Promise((resolve) => setTimeout(resolve, 1500))
    const person = await arrive(browser, place.url, { width: 390, height: 844, as: 'retail.auditor' })
    const { page } = person
    await page.goto('/personal?tab=security')
    await page.getByRole('button', { name: /^(Add|Change|Confirm) number$/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('New mobile number').fill('123')
    await dialog.getByRole('button', { name: 'Send code' }).click()
    await dialog
      .getByText(/11 digits/)
      .first()
      .waitFor()
    await dialog.getByLabel('New mobile number').fill('13812345678')
    await dialog.getByLabel('Current password').fill(demoPassword)
    await dialog.getByRole('button', { name: 'Send code' }).click()
    await dialog.getByText('A code was sent to 13812345678').waitFor()
    expect(await dialog.getByRole('button', { name: /Send again in \d+ s/ }).isDisabled()).toBe(true)
    const code = sent.at(-1)?.code ?? ''
    await dialog.getByLabel('Code from the message').fill(code === '000000' ? '111111' : '000000')
    await dialog.getByRole('button', { name: 'Save number' }).click()
    await dialog.getByText('The code is wrong').waitFor()
    await dialog.getByLabel('Code from the message').fill(code)
    await dialog.getByRole('button', { name: 'Save number' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(/Signs in$/).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    expect(person.complaints.filter((text) => !text.includes('400'))).toEqual([])
    gateway.close()
  })
})

describe('a browser let in by scanning', () => {
  it('acts on the organisation it was let in from, says so, and ends with the one that let it in', async () => {
    const owner = await arrive(browser, place.url, { as: 'admin', password: adminPassword })
    await owner.page.goto('/home')
    await owner.page.getByRole('banner').getByRole('button').first().click()
    const found = owner.page.waitForResponse((response) => response.url().includes('keyword=Northgate'))
    await owner.page.getByLabel('Find an organisation').fill('Northgate')
    await found
    await owner.page.getByRole('tooltip').getByText('Northgate Retail').first().click()
    await owner.page.waitForURL(/\/at\/\d+\/home/)
    const base = owner.page.url().replace('/home', '')

    const guest = await arrive(browser, place.url)
    await guest.page.goto('/login')
    await guest.page.getByRole('tab', { name: 'Scan code' }).click()
    const drawn = guest.page.waitForResponse((response) => response.url().endsWith('/api/v1/scanLogin'))
    await guest.page.getByRole('checkbox').check()
    const { url } = ((await (await drawn).json()) as { data: { url: string } }).data
    await owner.page.goto(base + new URL(url, place.url).pathname + new URL(url, place.url).search)
    await owner.page.getByText('It will operate on Northgate Retail only').waitFor()
    await owner.page.getByRole('button', { name: 'Allow sign-in' }).click()
    await guest.page.waitForURL((to) => to.pathname === '/home')
    await guest.page.getByRole('banner').getByRole('button').first().click()
    await guest.page.getByText('for this organisation only').waitFor()

    await place.database.query(
      `update session set ended_at = now() where origin_hash is null and user_id = (select id from sys_user where username = 'admin')`,
    )
    await guest.page.goto('/org/list')
    await guest.page.waitForURL('**/login**')
    await guest.page.getByLabel('Username').waitFor()
  })
})

describe('an old password', () => {
  it('lets nothing but the personal page open until it is changed', async () => {
    await place.database.query(
      `update sys_user set password_changed_at = now() - interval '91 days' where username = 'school.auditor'`,
    )
    const { page } = await arrive(browser, place.url)
    await page.goto('/login')
    await fillSignIn(page, 'school.auditor', demoPassword)
    await page.waitForURL('**/personal')
    await page.getByText('Your password has expired').waitFor()
    await page.goto('/system/log')
    await page.waitForURL('**/personal')
    await page.getByLabel('Current password').fill(demoPassword)
    await page.getByLabel('New password', { exact: true }).fill('Riverside-2027!')
    await page.getByLabel('New password again').fill('Riverside-2027!')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('The password has been changed').waitFor()
    await page.getByText('Your password has expired').waitFor({ state: 'detached' })
    await page.goto('/system/log')
    await heading(page, 'Operation log').waitFor()
  })
})

describe('the end of a session', () => {
  it('is asked about in place and gives everything back, or is left for the sign-in page and offers the way back', async () => {
    const { page, context } = await arrive(browser, place.url, { as: 'retail.admin' })
    const end = () =>
      place.database.query(
        `delete from session where user_id = (select id from sys_user where username = 'retail.admin')`,
      )
    await page.goto('/system/user')
    await heading(page, 'Users').waitFor()
    await page.getByRole('button', { name: 'Add user' }).click()
    await page.getByRole('dialog').getByLabel('Login account').first().fill('half.filled')
    await end()
    const ended = page.getByRole('dialog', { name: 'Your session has ended' })
    // The page is told by the server; nobody has to ask for anything first.
    await ended.waitFor()
    expect(await ended.count()).toBe(1)
    const field = ended.getByLabel('Password')
    await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true)
    await field.fill('wrong')
    await field.press('Enter')
    await ended.getByRole('alert').waitFor()
    await field.fill(demoPassword)
    await field.press('Enter')
    await ended.waitFor({ state: 'detached' })
    expect(await page.getByRole('dialog').getByLabel('Login account').first().inputValue()).toBe('half.filled')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('button', { name: 'Refresh' }).first().click()
    await page.getByRole('rowheader', { name: 'alice.moreau' }).waitFor()

    // Without a network the page stays what it is, and says so.
    await context.setOffline(true)
    await page.getByText('You are offline').waitFor()
    await page.getByRole('button', { name: 'Next page' }).press('Enter')
    expect(await page.getByRole('button', { name: 'Page 1', exact: true }).getAttribute('aria-current')).toBe('page')
    const rows = page.locator('.list-frame tbody')
    await expect.poll(async () => Number(await rows.evaluate((body) => getComputedStyle(body).opacity))).toBeLessThan(1)
    await context.setOffline(false)
    await page.getByText('You are offline').waitFor({ state: 'detached' })

    await page.evaluate(() => localStorage.setItem('kept-by-test', 'yes'))
    await end()
    await ended.getByRole('button', { name: 'Sign in anew' }).click()
    await page.getByText('You have been logged out').waitFor()
    expect(await page.getByText('You have been logged out').count()).toBe(1)
    await page.waitForURL('**/login**')
    expect(await page.evaluate(() => localStorage.getItem('kept-by-test'))).toBe('yes')
    await fillSignIn(page, 'retail.admin', demoPassword)
    await page.waitForURL((url) => url.pathname === '/home')
    await page
      .getByText(/Return to/)
      .first()
      .click()
    await heading(page, 'Users').waitFor()
  })
})
