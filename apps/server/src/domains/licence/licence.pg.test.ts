import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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

  it('comes from a file as well; bad rows are told with their number', async () => {
    const chunks: Buffer[] = []
    const batches: Cell[][][] = [
      [
        ['HP-1', 12],
        ['BI-1', 12],
        ['HP-2', 'x'],
        ['HP-1', 1],
        [null, 3],
      ],
    ]
    const sheet = { name: 'S', columns: [{ header: 'sn' }, { header: 'months' }], batches }
    for await (const chunk of writeWorkbook([sheet])) chunks.push(chunk as Buffer)
    const head =
      '--b\r\ncontent-disposition: form-data; name="file"; filename="a.xlsx"\r\ncontent-type: application/octet-stream\r\n\r\n'
    const response = await world.app.inject({
      method: 'POST',
      url: `${iot}/importFile`,
      headers: { sessionid: alder.token, 'content-type': 'multipart/form-data; boundary=b' },
      payload: Buffer.concat([Buffer.from(head), ...chunks, Buffer.from('\r\n--b--\r\n')]),
    })
    expect(response.json()).toMatchObject({
      code: 100028,
      data: {
        created: 1,
        failed: [
          { row: 3, code: 30103 },
          { row: 4, code: 100002 },
          { row: 5, code: 204002 },
          { row: 6, code: 204001 },
        ],
      },
    })
  })
})
