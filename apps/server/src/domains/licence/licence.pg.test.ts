import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readSheet } from '../../platform/sheet/read.ts'
import { type Cell, writeWorkbook } from '../../platform/sheet/write.ts'
import { addDevices } from '../../test/devices.ts'
import { type Person, startWorld, type World } from '../../test/world.ts'

let world: World
let alder: Person
const iot = '/api/v3/license/iot'

beforeAll(async () => {
  world = await startWorld()
  alder = await world.as('alder.admin')
})
afterAll(() => world.stop())
beforeEach(async () => {
  await sql`delete from device`.execute(world.db)
  await addDevices(world.db, ['HP-1', 'HP-2'], { departmentId: world.a.shop, type: 3 })
  await addDevices(world.db, ['BI-1'], { departmentId: world.b.shop, type: 3 })
})

interface Shown {
  id: number
  sn: string
  state: string
  expiry: string
}
const rows = async (query: object = {}, kind = 'iot') => {
  const { data } = await alder.get(`/api/v3/license/${kind}/list`, query as Record<string, unknown>)
  return (data[kind === 'iot' ? 'idots' : 'rows'] as Shown[]) ?? []
}
const peculiar: Record<string, object> = {
  iot: { type: 0 },
  im: { chargeType: 'duration', corpId: 'ww1', licenceNo: 'L-7' },
  health: { interface: 'Guangdong' },
}
const grant = (sns: string[], months = 12, kind = 'iot') =>
  alder.post(`/api/v3/license/${kind}/authorise`, { sns, months, ...peculiar[kind] })
const inMonths = async (months: number) =>
  (await sql<{ day: string }>`select (current_date + ${months} * interval '1 month')::date as day`.execute(world.db))
    .rows[0]?.day

describe('a licence', () => {
  it('is given per device and kind, and prolonged when given again', async () => {
    expect((await grant(['HP-1', 'HP-2'])).code).toBe(100000)
    expect((await grant(['HP-1'], 1, 'im')).code).toBe(100000)
    expect(await rows()).toMatchObject([
      { sn: 'HP-1', state: 'active', expiry: await inMonths(12) },
      { sn: 'HP-2', state: 'active' },
    ])
    expect(await rows({}, 'im')).toMatchObject([{ sn: 'HP-1', expiry: await inMonths(1) }])
    expect(await rows({}, 'health')).toEqual([])
    await grant(['HP-1'], 12)
    expect((await rows({ sn: 'HP-1' })).map(({ expiry }) => expiry)).toEqual([await inMonths(24)])
  })

  it('runs for thirty years at most, however often it is prolonged', async () => {
    await grant(['HP-1'], 120)
    const [licence] = await rows({ sn: 'HP-1' })
    const renew = () => alder.post(`${iot}/renew`, { ids: [licence?.id], months: 120 })
    expect([await renew(), await renew(), await renew()].map(({ code }) => code)).toEqual([100000, 100000, 139000])
    expect((await grant(['HP-1'], 1)).code).toBe(139000)
    expect((await rows({ sn: 'HP-1' })).map(({ expiry }) => expiry)).toEqual([await inMonths(360)])
  })

  it('goes by the day: expiring within thirty days, expired after its last', async () => {
    await grant(['HP-1'])
    const on = async (days: number) => {
      await sql`update licence set expiry = current_date + ${days}::int`.execute(world.db)
      return (await rows())[0]?.state
    }
    expect(await on(30)).toBe('active')
    expect(await on(29)).toBe('expiring')
    expect(await on(0)).toBe('expiring')
    expect(await on(-1)).toBe('expired')
    expect(await rows({ state: 'active' })).toEqual([])
    expect(await rows({ state: ['expired', 'revoked'] })).toHaveLength(1)
    const [{ id } = { id: 0 }] = await rows()
    expect((await alder.post(`${iot}/renew`, { ids: [id], months: 1 })).code).toBe(100000)
    expect(await rows()).toMatchObject([{ expiry: await inMonths(1) }])
  })

  it('that is revoked stays revoked; a new one can be given', async () => {
    await grant(['HP-1'])
    const [{ id } = { id: 0 }] = await rows()
    expect((await alder.post(`${iot}/revoke`, { ids: [id] })).code).toBe(100000)
    expect((await alder.post(`${iot}/renew`, { ids: [id], months: 1 })).status).toBe(404)
    await grant(['HP-1'])
    expect((await rows()).map(({ state }) => state).sort()).toEqual(['active', 'revoked'])
  })

  it('says what is peculiar to its kind, and keeps it when it is prolonged', async () => {
    await grant(['HP-1'], 1, 'im')
    await alder.post('/api/v3/license/im/authorise', { sns: ['HP-1'], months: 1, chargeType: 'licence' })
    expect(await rows({}, 'im')).toMatchObject([
      { corpId: 'ww1', licenceNo: 'L-7', chargeType: 'licence', schoolName: null },
    ])
    await sql`update device set department_id = ${world.a.school} where sn = 'HP-1'`.execute(world.db)
    expect(await rows({}, 'im')).toMatchObject([{ schoolName: 'alder school' }])
    expect((await grant(['HP-1'], 1, 'health')).code).toBe(100000)
    expect(await rows({ interface: 'guang' }, 'health')).toMatchObject([{ interface: 'Guangdong' }])
  })

  it('of the health kind can be switched off and on again', async () => {
    await grant(['HP-1'], 1, 'health')
    const [{ id } = { id: 0 }] = await rows({}, 'health')
    const set = (verb: string) => alder.post(`/api/v3/license/health/${verb}`, { ids: [id] })
    expect((await set('disable')).code).toBe(100000)
    expect(await rows({ state: 'disabled' }, 'health')).toHaveLength(1)
    expect((await set('enable')).code).toBe(100000)
    expect((await rows({}, 'health'))[0]?.state).not.toBe('disabled')
    expect((await set('revoke')).status).toBe(404)
  })

  it('is given to none when one device is out of reach', async () => {
    expect(await grant(['HP-1', 'BI-1'])).toMatchObject({ code: 30103, data: { sn: 'BI-1' } })
    expect(await rows()).toEqual([])
  })
})

const sheet = async (headers: string[], lines: Cell[][]) => {
  const chunks: Buffer[] = []
  const columns = headers.map((header) => ({ header }))
  for await (const chunk of writeWorkbook([{ name: 'S', columns, batches: [lines] }])) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
const upload = async (kind: string, file: Buffer) => {
  const head =
    '--b\r\ncontent-disposition: form-data; name="file"; filename="a.xlsx"\r\ncontent-type: application/octet-stream\r\n\r\n'
  const response = await world.app.inject({
    method: 'POST',
    url: `/api/v3/license/${kind}/import`,
    headers: { sessionid: alder.token, 'content-type': 'multipart/form-data; boundary=b' },
    payload: Buffer.concat([Buffer.from(head), file, Buffer.from('\r\n--b--\r\n')]),
  })
  return response.json().data as { importId: number; valid: number; errors: { row: number; code: number }[] }
}
const run = async (kind: string, importId: number) => {
  expect((await alder.post(`/api/v3/license/${kind}/import/run`, { importId })).code).toBe(100000)
  const status = async () => (await alder.get(`/api/v3/license/${kind}/import/status`, { importId })).data
  await expect.poll(async () => (await status()).state, { timeout: 25_000 }).toBe('done')
  return status()
}

describe('a file of licences', () => {
  it('is checked first, then gives each device its term and leaves alone who holds one', async () => {
    await grant(['HP-2'])
    const checked = await upload(
      'iot',
      await sheet(
        ['sn', 'type', 'months'],
        [
          ['HP-1', 1, 12],
          ['HP-2', 0, 6],
          ['BI-1', 0, 12],
          ['a/b', 0, 12],
          ['HP-3', 0, 'x'],
          ['HP-1', 0, 12],
          [null, 0, 12],
        ],
      ),
    )
    expect(checked.errors.map(({ row, code }) => [row, code])).toEqual([
      [3, 204047],
      [4, 30103],
      [5, 204010],
      [6, 100002],
      [7, 204002],
      [8, 204001],
    ])
    expect(checked.errors[1]).toMatchObject({ field: 'sn' })
    expect((await rows()).map(({ sn }) => sn)).toEqual(['HP-2'])
    expect(await run('iot', checked.importId)).toMatchObject({
      created: 1,
      skipped: 1,
      failed: 5,
      fileId: expect.any(Number),
    })
    expect(await rows({ sn: 'HP-1' })).toMatchObject([{ state: 'active', type: 1, expiry: await inMonths(12) }])
    expect(await rows({ sn: 'HP-2' })).toMatchObject([{ expiry: await inMonths(12) }])
  })

  it('gives a licence anew where the last one ran out, and says what a messaging app needs', async () => {
    await grant(['HP-1'], 1, 'im')
    await sql`update licence set expiry = current_date - 1`.execute(world.db)
    const { importId, errors } = await upload(
      'im',
      await sheet(['sn', 'chargeType', 'corpId', 'licenceNo', 'months'], [['HP-1', 'duration', 'ww9', null, 2]]),
    )
    expect(errors).toEqual([])
    expect(await run('im', importId)).toMatchObject({ created: 1, failed: 0 })
    expect(await rows({}, 'im')).toMatchObject([
      { corpId: 'ww9', licenceNo: 'L-7', chargeType: 'duration', expiry: await inMonths(2) },
    ])
  })

  it('has a template', async () => {
    for (const kind of ['iot', 'im']) {
      const url = `/api/v3/license/${kind}/import/template`
      const { rawPayload } = await world.app.inject({ url, headers: { sessionid: alder.token } })
      const headers = (await readSheet(rawPayload)).rows[0]?.cells.map((cell) => String(cell).replace(' *', ''))
      expect(headers).toContain('Months')
      expect(headers?.[0]).toBe('Serial number')
    }
  })
})

describe('devices and licences', () => {
  const found = async (licence: string[]) =>
    ((await alder.get('/api/v3/device/basic/list', { licence })).data.rows as { sn: string; licence: string }[]).map(
      ({ sn, licence: state }) => `${sn} ${state}`,
    )
  const counts = async () => (await alder.get('/api/v3/license/count', { departmentId: world.a.id })).data.rows

  it('are found by the state of the licence, also where there is none', async () => {
    await grant(['HP-1'])
    expect(await found(['none'])).toEqual(['HP-2 none'])
    expect(await found(['active'])).toEqual(['HP-1 active'])
    expect(await found(['none', 'active'])).toEqual(['HP-1 active', 'HP-2 none'])
    const [{ id } = { id: 0 }] = await rows()
    await alder.post(`${iot}/revoke`, { ids: [id] })
    expect(await found(['none'])).toEqual(['HP-1 none', 'HP-2 none'])
  })

  it('are counted for an organisation with what stands below it', async () => {
    await grant(['HP-1'])
    await grant(['HP-1', 'HP-2'], 1, 'im')
    await sql`update licence set expiry = current_date - 1 where kind = 'im' and device_id =
      (select id from device where sn = 'HP-2')`.execute(world.db)
    const none = { active: 0, expiring: 0, expired: 0, disabled: 0 }
    expect(await counts()).toEqual([
      { ...none, kind: 'iot', active: 1, none: 1 },
      { ...none, kind: 'im', expiring: 0, active: 1, expired: 1, none: 0 },
      { ...none, kind: 'health', none: 2 },
    ])
    const { data } = await alder.get('/api/v3/license/count', { departmentId: world.b.id })
    expect(data.rows).toMatchObject([{ active: 0, none: 0 }, { none: 0 }, { none: 0 }])
  })
})
