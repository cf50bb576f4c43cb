import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { arrive, heading, type Installation, install, openBrowser, type Person } from './stage.ts'

const patience = { timeout: 60_000 }
let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

const figure = (text: string) => Number(text.replaceAll(/\D/g, ''))
const tileOf = ({ page }: Person, name: string) => page.locator('.fleet-figures:visible li').filter({ hasText: name })
const shownBy = async (person: Person, name: string) =>
  figure(await tileOf(person, name).locator('.figure-value').innerText())
/** The exact total beside the title of a list; what the list says of the whole fleet stands behind a dot. */
const totalOf = async ({ page }: Person) =>
  figure((await page.locator('.page-sub:visible').innerText()).split('·')[0] ?? '')
const goHome = async ({ page }: Person) => {
  const menu = page.getByRole('navigation', { name: 'Main menu' })
  await menu.getByRole('link', { name: 'Home', exact: true }).click()
}

describe('the fleet at home', () => {
  let place: Installation
  let person: Person
  beforeAll(async () => {
    place = await install({ as: 'living' })
    person = await arrive(browser, place.url, { as: 'retail.admin' })
    await person.page.goto('/home')
  })
  afterAll(() => place?.stop())

  const counted = async (where: string) =>
    Number(
      (
        await place.database.query(`select count(*) as n from device t join department d on d.id = t.department_id
          left join device_state s on s.device_id = t.id
          where d.path <@ (select path from department where name = 'Northgate Retail') and ${where}`)
      ).rows[0].n,
    )

  it('shows what the data says, once its devices are there', async () => {
    const inUse = 't.activation_status <> 0'
    const online = `${inUse} and s.iot_status <> 'offline'`
    const today = `${inUse} and (s.iot_status <> 'offline' or s.last_seen >= current_date)`
    await expect.poll(() => counted(online), patience).toBeGreaterThan(90)
    await expect.poll(async () => (await shownBy(person, 'Seen today')) - (await counted(today)), patience).toBe(0)
    expect({
      total: await shownBy(person, 'All devices'),
      warehouse: await shownBy(person, 'In warehouse'),
      distributed: await shownBy(person, 'In use'),
      away: await shownBy(person, 'Offline over a day'),
    }).toEqual({
      total: await counted('true'),
      warehouse: await counted('t.activation_status = 0'),
      distributed: await counted(inUse),
      away: await counted(
        "t.activation_status = 2 and s.iot_status = 'offline' and coalesce(s.disconnected_at, s.last_seen) < now() - interval '1 day'",
      ),
    })
    const labels = await person.page.locator('.fleet-figures:visible .figure-label').allInnerTexts()
    expect(labels).toEqual([...new Set(labels)])
  })

  it.each([
    ['In warehouse', 'Devices', /activationStatus=0/],
    ['In use', 'Devices', /activationStatus=1/],
    ['Offline over a day', 'Devices', /problem=away/],
    ['Device licences', 'IOT licences', /state=active/],
  ])('leads from %s to exactly those rows', async (name, title, address) => {
    const { page } = person
    await goHome(person)
    await tileOf(person, name).waitFor()
    const value = await shownBy(person, name)
    await tileOf(person, name).getByRole('link').first().click()
    await heading(page, title).waitFor()
    expect(page.url()).toMatch(address)
    await expect.poll(() => totalOf(person)).toBe(value)
  })

  it('begins with what needs a person, each leading to exactly the rows it counts', async () => {
    const { page } = person
    await goHome(person)
    const needs = page.getByRole('region', { name: 'What needs you' }).getByRole('listitem')
    await needs.first().waitFor()
    const away = needs.filter({ hasText: 'offline for over a day' }).first()
    const count = figure((await away.locator('strong').innerText()).split(' ')[0] ?? '')
    await away.getByRole('link').first().click()
    await heading(page, 'Devices').waitFor()
    expect(page.url()).toContain('problem=away')
    await expect.poll(() => totalOf(person)).toBe(count)
  })

  it('leads from a firmware version to the devices that run it, and draws activity in the step that was chosen', async () => {
    const { page } = person
    await goHome(person)
    const first = page.getByRole('region', { name: 'Firmware versions' }).getByRole('link').first()
    const [version = '', count = ''] = (await first.innerText()).split('\n').filter(Boolean)
    await first.click()
    await heading(page, 'Devices').waitFor()
    expect(new URL(page.url()).searchParams.get('firmwareVersion')).toBe(`"${version}"`)
    await expect.poll(() => totalOf(person)).toBe(Number(count))

    await goHome(person)
    const activity = page.getByRole('region', { name: 'Device activity' })
    await activity.getByRole('combobox', { name: 'Period' }).click()
    await page.getByTitle('Last 30 days').click()
    await expect.poll(() => page.url()).toContain('span=30d')
    const chart = activity.getByRole('figure').getByRole('img')
    await activity.getByText('active devices per day').waitFor()
    await chart.focus()
    await page.keyboard.press('End')
    expect(await chart.getAttribute('aria-label')).toMatch(/^\d{4}-\d\d-\d\d: \d+/)
    await activity.getByText('Week', { exact: true }).click()
    await expect.poll(() => page.url()).toContain('step=week')
    expect(person.complaints).toEqual([])
  })

  it('keeps to who may see devices', async () => {
    const teacher = await arrive(browser, place.url, { as: 'teacher.chenjing' })
    await teacher.page.goto('/home')
    await teacher.page.getByRole('heading', { name: 'Announcements' }).waitFor()
    expect(await teacher.page.locator('.fleet-figures').count()).toBe(0)
    expect(teacher.complaints).toEqual([])
    await teacher.context.close()
  })
})
