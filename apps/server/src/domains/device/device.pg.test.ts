import { device, sortable, totalLimit } from '@campanile/contract'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Cell, writeWorkbook } from '../../platform/sheet/write.ts'
import { type Person, startWorld, type World } from '../../test/world.ts'
import { countActivity } from './activity.ts'

let world: World
let alder: Person
let birch: Person
const basic = '/api/v3/device/basic'
const group = '/api/v3/device/group'

beforeAll(async () => {
  world = await startWorld()
  alder = await world.as('alder.admin')
  birch = await world.as('birch.admin')
})
afterAll(() => world.stop())
beforeEach(async () => {
  await sql`delete from device_task`.execute(world.db)
  await sql`delete from device`.execute(world.db)
  await sql`delete from device_group`.execute(world.db)
})

const draft = (sn: string, more: object = {}) => ({
  sn,
  deviceType: 3,
  batchNumber: 'B1',
  departmentId: world.a.shop,
  ...more,
})
const add = async (sn: string, more: object = {}, who = alder) => {
  const answer = await who.post(`${basic}/create`, draft(sn, more))
  expect([sn, answer.code]).toEqual([sn, 100000])
  return answer.data.id as number
}
const sns = async (query: object = {}, who = alder) => {
  const { data, code } = await who.get(`${basic}/list`, { pageSize: 100, ...query })
  expect(code).toBe(100000)
  return (data.rows as { sn: string }[]).map(({ sn }) => sn)
}

describe('the registry', () => {
  it('keeps a new device with its state, offline and not activated', async () => {
    await add('HP-1', { model: 'M1' })
    const { data } = await alder.get(`${basic}/list`)
    expect(data).toMatchObject({
      total: 1,
      rows: [{ sn: 'HP-1', iotStatus: 'offline', activationStatus: 0, departmentName: 'alder shop', locked: false }],
    })
    const detail = await alder.get(`${basic}/detail`, { sn: 'HP-1' })
    expect(detail.data).toMatchObject({ row: { sn: 'HP-1', model: 'M1' }, values: {}, apps: [], licence: null })
  })

  it.each([
    ['', 30101],
    [' ', 30101],
    ['a'.repeat(65), 204010],
    ['A/B', 204010],
    ['A B', 204010],
    ['A#', 204010],
    ['+', 204010],
  ])('refuses the serial number “%s”', async (sn, code) => {
    expect(await alder.post(`${basic}/create`, draft(sn))).toMatchObject({ status: 400, code })
    expect(await sns()).toEqual([])
  })

  it.each([
    ['', 204011],
    ['b'.repeat(65), 204027],
  ])('refuses the batch number “%s”', async (batchNumber, code) => {
    expect(await alder.post(`${basic}/create`, draft('HP-1', { batchNumber }))).toMatchObject({ status: 400, code })
  })

  it('names the serial that is taken, here or elsewhere', async () => {
    await add('HP-1')
    await add('BI-1', { departmentId: world.b.shop }, birch)
    expect(await alder.post(`${basic}/create`, draft('HP-1'))).toMatchObject({ code: 30102, data: { sn: 'HP-1' } })
    expect(await alder.post(`${basic}/create`, draft('BI-1'))).toMatchObject({ code: 204014, data: { sn: 'BI-1' } })
  })

  it('knows only types of the code table', async () => {
    expect((await alder.post(`${basic}/create`, draft('HP-1', { deviceType: 99 }))).code).toBe(204012)
  })

  it('finds one serial by part and several as they stand, however they were pasted', async () => {
    for (const sn of ['HP-1', 'HP-10', 'HP-2', 'ZZ-1']) await add(sn)
    expect(await sns({ sn: 'hp-1' })).toEqual(['HP-1', 'HP-10'])
    expect(await sns({ sn: '"HP-1"' })).toEqual(['HP-1'])
    expect(await sns({ sn: '"hp"' })).toEqual([])
    expect(await sns({ sn: 'HP-1/ZZ-1' })).toEqual(['HP-1', 'ZZ-1'])
    expect(await sns({ sn: ' HP-1,\nHP-2  ZZ-1 ' })).toEqual(['HP-1', 'HP-2', 'ZZ-1'])
    const many = Array.from({ length: 201 }, (_, at) => `S${at}`)
    expect((await alder.get(`${basic}/list`, { sn: many.slice(1).join('/') })).code).toBe(100000)
    expect(await alder.get(`${basic}/list`, { sn: many.join('/') })).toMatchObject({
      code: 100022,
      data: { limit: 200 },
    })
  })

  it('filters by everything the list declares', async () => {
    await add('HP-1', { model: 'M1', imei: '123456', batchNumber: 'B7' })
    await add('HP-2', { model: 'M2', departmentId: world.a.office, deviceType: 4 })
    await sql`update device_state set iot_status = 'online', firmware_version = '1.2', locked = true, robot_state = 'idle'
      where device_id = (select id from device where sn = 'HP-1')`.execute(world.db)
    for (const query of [
      { model: 'm1' },
      { imei: '345' },
      { batchNumber: 'b7' },
      { departmentId: world.a.shop },
      { deviceType: [3, 5] },
      { iotStatus: 'online' },
      { firmwareVersion: '1.' },
      { locked: 'true' },
      { robotState: ['idle', 'working'] },
    ])
      expect([query, await sns(query)]).toEqual([query, ['HP-1']])
    expect(await sns({ activationStatus: 0, departmentId: world.a.id })).toEqual(['HP-1', 'HP-2'])
  })

  it('finds versions from one on and below another by their numbers, and values between two', async () => {
    for (const [sn, firmware] of [
      ['HP-1', '3.9.4'],
      ['HP-2', '3.10.0-rc1'],
      ['HP-3', '3.10'],
      ['HP-4', null],
    ] as const) {
      const id = await add(sn)
      await sql`update device_state set firmware_version = ${firmware}, battery = ${id % 2 === 0 ? 9 : 90},
        connected_at = ${firmware === '3.9.4' ? '2026-01-02T00:00:00Z' : '2026-02-02T00:00:00Z'} where device_id = ${id}`.execute(
        world.db,
      )
    }
    expect(await sns({ firmwareVersionBelow: '3.10' })).toEqual(['HP-1'])
    expect(await sns({ firmwareVersionFrom: '3.10' })).toEqual(['HP-2', 'HP-3'])
    expect(await sns({ firmwareVersionFrom: '3.9', firmwareVersionBelow: '4' })).toEqual(['HP-1', 'HP-2', 'HP-3'])
    expect((await sns({ batteryMax: 20 })).length + (await sns({ batteryMin: 21 })).length).toBe(4)
    expect(await sns({ batteryMax: 20.5 })).toEqual(await sns({ batteryMax: 20 }))
    expect(await sns({ batteryMin: 20.5 })).toEqual(await sns({ batteryMin: 21 }))
    expect(await sns({ battery: 20.5 })).toEqual([])
    expect(await sns({ endTime: '2026-01-31T00:00:00Z' })).toEqual(['HP-1'])
    expect((await alder.get(`${basic}/list`, { firmwareVersionBelow: 'new' })).code).toBe(100002)
    expect(await alder.get(`${basic}/list`, { charging: 'yes' })).toMatchObject({
      code: 100002,
      message: expect.stringMatching(/charging.* It takes: unknown, charging, notCharging\.$/),
      data: { field: 'charging', allowed: ['unknown', 'charging', 'notCharging'] },
    })
  })

  it('counts what each value of a filter would leave, of those within reach, a filter that is set without itself', async () => {
    await add('HP-1')
    await add('HP-2', { deviceType: 4 })
    await add('HP-3', { deviceType: 4, departmentId: world.a.office })
    await add('BI-1', { departmentId: world.b.shop }, birch)
    await sql`update device_state set iot_status = 'online' where device_id in
      (select id from device where sn in ('HP-1', 'BI-1'))`.execute(world.db)
    await sql`update device_state set battery = 5 where device_id = (select id from device where sn = 'HP-1')`.execute(
      world.db,
    )
    // The third was never activated: it is not offline.
    await sql`update device set activation_status = 2 where sn <> 'HP-3'`.execute(world.db)
    const counts = async (query: Record<string, unknown> = {}) => {
      const { data } = await alder.get(`${basic}/counts`, query)
      const byField = Object.entries(data.counts as Record<string, { value: string; count: number }[]>)
      return Object.fromEntries(
        byField.map(([field, each]) => [field, Object.fromEntries(each.map(({ value, count }) => [value, count]))]),
      )
    }
    expect(await counts()).toMatchObject({
      iotStatus: { online: 1, offline: 1 },
      deviceType: { 3: 1, 4: 2 },
      locked: { false: 3 },
      licence: { none: 3 },
      problem: { battery: 1 },
    })
    expect(await counts({ deviceType: 4 })).toMatchObject({ iotStatus: { offline: 1 }, deviceType: { 3: 1, 4: 2 } })
    expect(await counts({ departmentId: world.a.office })).toMatchObject({ deviceType: { 4: 1 } })
  })

  it('tells how many devices a view holds, of those within reach, and stops counting where it no longer matters', async () => {
    await add('HP-1')
    await add('HP-2', { deviceType: 4 })
    await add('BI-1', { departmentId: world.b.shop, deviceType: 4 }, birch)
    const total = async (query: Record<string, unknown> = {}) => (await alder.get(`${basic}/total`, query)).data
    expect(await total()).toEqual({ total: 2, more: false })
    expect(await total({ deviceType: 4 })).toEqual({ total: 1, more: false })
    expect(await total({ battery: 5, sn: 'none' })).toEqual({ total: 0, more: false })
    expect((await alder.get(`${basic}/total`, { firmwareVersionBelow: 'new' })).code).toBe(100002)
    await sql`insert into device (sn, department_id, device_type, batch_number)
      select 'MANY-' || n, ${world.a.id}, 4, 'many' from generate_series(1, ${totalLimit}) n`.execute(world.db)
    expect(await total({ deviceType: 4 })).toEqual({ total: totalLimit, more: true })
  })

  it.each(sortable(device))(
    'holds the same devices ordered by %s, forwards and backwards, to whoever asks',
    async (sort) => {
      for (const n of [3, 1, 2]) {
        const id = await add(`HP-${n}`, { model: `M${n}`, deviceType: n })
        await sql`update device_state set battery = ${n}, firmware_version = ${`1.${n}`}, connected_at = now() - ${n} * interval '1 h'
        where device_id = ${id}`.execute(world.db)
      }
      await add('BI-1', { departmentId: world.b.shop }, birch)
      await sql`update device set activation_status = 2`.execute(world.db)
      const root = await world.as('admin')
      for (const query of [{}, { firmwareVersion: '1.' }, { deviceType: [1, 2, 3], iotStatus: 'offline' }]) {
        const forwards = await sns({ ...query, sort })
        expect(forwards.toSorted()).toEqual(['HP-1', 'HP-2', 'HP-3'])
        expect(await sns({ ...query, sort: `-${sort}` })).toEqual(forwards.toReversed())
        expect((await sns({ ...query, sort }, root)).filter((sn) => sn.startsWith('HP'))).toEqual(forwards)
      }
    },
  )

  it('changes no serial and no department by an edit', async () => {
    const id = await add('HP-1')
    expect((await alder.put(`${basic}/update`, { id, sn: 'HP-2' })).code).toBe(100009)
    expect((await alder.put(`${basic}/update`, { id, departmentId: world.a.office })).code).toBe(100009)
    expect((await alder.put(`${basic}/update`, { id, model: 'M9' })).code).toBe(100000)
  })

  it('keeps a department from being removed and counts in its tree', async () => {
    await add('HP-1')
    const detail = await alder.get('/api/v1/oauth/depts/detail', { id: world.a.id })
    expect(detail.data).toMatchObject({ counts: { devices: 1 } })
    expect((await alder.remove('/api/v1/oauth/depts/delete', { ids: [world.a.shop] })).code).not.toBe(100000)
  })

  it('looks the same to others whether a device exists or not', async () => {
    await add('HP-1')
    for (const path of ['detail', 'timeline']) {
      const foreign = await birch.get(`${basic}/${path}`, { sn: 'HP-1' })
      const none = await birch.get(`${basic}/${path}`, { sn: 'HP-9' })
      expect(foreign).toMatchObject({ status: 404, code: 30103 })
      expect(JSON.stringify(foreign).replaceAll('HP-1', '')).toBe(JSON.stringify(none).replaceAll('HP-9', ''))
    }
    expect(await sns({}, birch)).toEqual([])
  })

  it('removes several at once, or none when one is out of reach', async () => {
    const mine = await add('HP-1')
    const theirs = await add('BI-1', { departmentId: world.b.shop }, birch)
    expect((await alder.remove(`${basic}/delete`, { ids: [mine, theirs] })).status).toBe(404)
    expect(await sns()).toEqual(['HP-1'])
    expect((await alder.remove(`${basic}/delete`, { ids: [mine] })).code).toBe(100000)
    expect(await sns()).toEqual([])
  })
})

const credentialOf = async (sn: string) =>
  (
    await sql<{ kept: boolean; version: number; department: number; status: number }>`select
      credential_hash is not null as kept, credential_version as version, department_id as department,
      activation_status as status from device where sn = ${sn}`.execute(world.db)
  ).rows[0]
const activate = () => sql`update device set credential_hash = '\\x01', activation_status = 2`.execute(world.db)

describe('a transfer', () => {
  it('takes away devices by their serials too, all or none', async () => {
    await add('HP-1')
    await add('HP-2')
    await add('HP-3')
    await add('BI-1', { departmentId: world.b.shop }, birch)
    const drop = (body: Record<string, unknown>) => alder.remove(`${basic}/delete`, body)
    expect(await drop({ sn: ['HP-1', 'BI-1'] })).toMatchObject({ status: 404, data: { sn: 'BI-1' } })
    expect((await drop({})).status).toBe(400)
    expect((await drop({ sn: ['HP-1'] })).data).toEqual({ removed: 1 })
    const bySlash = await world.request('DELETE', `${basic}/delete?sn=HP-2/HP-3`, undefined, { token: alder.token })
    expect(bySlash.data).toEqual({ removed: 2 })
    expect(await sns()).toEqual([])
    expect(await sns({}, birch)).toEqual(['BI-1'])
  })

  it('within an organisation keeps what the device joined with', async () => {
    await add('HP-1')
    await activate()
    const answer = await alder.post(`${basic}/transferBatch`, { sns: ['HP-1'], departmentId: world.a.office })
    expect(answer).toMatchObject({ code: 100000, data: { moved: 1 } })
    expect(await credentialOf('HP-1')).toMatchObject({ kept: true, version: 0, department: world.a.office, status: 2 })
  })

  it('out of an organisation revokes it at once', async () => {
    await add('HP-1')
    await activate()
    const above = await world.as('harbour.admin')
    const answer = await above.post(`${basic}/transferBatch`, { sns: ['HP-1'], departmentId: world.b.shop })
    expect(answer.code).toBe(100000)
    expect(await credentialOf('HP-1')).toMatchObject({ kept: false, version: 1, department: world.b.shop, status: 1 })
    expect(await sns()).toEqual([])
    expect(await sns({}, birch)).toEqual(['HP-1'])
  })

  it('names what it cannot move', async () => {
    await add('HP-1')
    await add('BI-1', { departmentId: world.b.shop }, birch)
    const to = (body: object) => alder.post(`${basic}/transferBatch`, body as Record<string, unknown>)
    expect(await to({ sns: ['BI-1'], departmentId: world.a.office })).toMatchObject({
      code: 30103,
      data: { sn: 'BI-1' },
    })
    expect((await to({ sns: ['HP-1'], departmentId: world.b.shop })).code).toBe(204013)
    expect((await to({ sns: ['HP-1'], departmentId: world.a.shop })).code).toBe(204023)
    expect(await credentialOf('HP-1')).toMatchObject({ department: world.a.shop })
  })
})

const bytesOf = async (rows: Cell[][], headers: string[]) => {
  const chunks: Buffer[] = []
  const sheet = { name: 'Sheet', columns: headers.map((header) => ({ header })), batches: [rows] }
  for await (const chunk of writeWorkbook([sheet])) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
const upload = async (url: string, file: Buffer) => {
  const boundary = 'a-boundary'
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="rows.xlsx"\r\ncontent-type: application/octet-stream\r\n\r\n`
  const response = await world.app.inject({
    method: 'POST',
    url,
    headers: { sessionid: alder.token, 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  })
  return response.json() as { code: number; data: { moved: number; failed: { row: number; code: number }[] } }
}

describe('files', () => {
  it('move the devices of good rows and tell why the others stay', async () => {
    await add('HP-1')
    await add('HP-2', { departmentId: world.a.office })
    await add('BI-1', { departmentId: world.b.shop }, birch)
    const rows: Cell[][] = [['HP-1'], ['HP-1'], ['HP-2'], ['BI-1'], ['A/B'], [null, 'x']]
    const file = await bytesOf(rows, ['Serial number', 'Note'])
    const url = `${basic}/importTransfer?departmentId=${world.a.office}`
    const failed = [
      { row: 3, code: 204002 },
      { row: 4, code: 204023 },
      { row: 5, code: 30103 },
      { row: 6, code: 204010 },
      { row: 7, code: 204001 },
    ]
    expect(await upload(`${url}&dryRun=true`, file)).toMatchObject({ code: 100028, data: { moved: 1, failed } })
    expect(await credentialOf('HP-1')).toMatchObject({ department: world.a.shop })
    expect(await upload(url, file)).toMatchObject({ code: 100028, data: { moved: 1, failed } })
    expect(await credentialOf('HP-1')).toMatchObject({ department: world.a.office })
  })

  it('that are none are refused', async () => {
    const url = `${basic}/importTransfer?departmentId=${world.a.office}`
    expect((await upload(url, Buffer.from([0x89, 0x50, 0x4e, 0x47, 0]))).code).toBe(204003)
    expect((await upload(url, await bytesOf([], ['sn']))).code).toBe(204015)
    const many = Array.from({ length: 10_001 }, (_, at): Cell[] => [`S${at}`])
    expect((await upload(url, await bytesOf(many, ['sn']))).code).toBe(204004)
  })

  it('of serials tell which are devices here, workbook or text, and change nothing', async () => {
    await add('HP-1')
    await add('HP-2')
    await add('BI-1', { departmentId: world.b.shop }, birch)
    const url = `${basic}/readSerials`
    const text = Buffer.from('HP-1/HP-2, BI-1\n\nHP-1；A+B')
    expect(await upload(url, text)).toMatchObject({
      code: 100000,
      data: {
        sns: ['HP-1', 'HP-2'],
        failed: [
          { row: 1, sn: 'BI-1', code: 30103 },
          { row: 3, sn: 'HP-1', code: 204002 },
          { row: 3, sn: 'A+B', code: 204010 },
        ],
      },
    })
    const file = await bytesOf([['HP-2'], ['HP-9']], ['序列号'])
    expect(await upload(url, file)).toMatchObject({ data: { sns: ['HP-2'], failed: [{ row: 3, code: 30103 }] } })
    const saved = Buffer.from('"Serial number",Note\r\nHP-2,a b\r\nHP-9,\r\n')
    expect(await upload(url, saved)).toMatchObject({ data: { sns: ['HP-2'], failed: [{ row: 3, code: 30103 }] } })
    expect((await upload(url, Buffer.from(' \n'))).code).toBe(204015)
    expect((await upload(url, Buffer.from([0xff, 0xfe, 0x00]))).code).toBe(204003)
    const many = Array.from({ length: 10_001 }, (_, at) => `S${at}`).join('/')
    expect((await upload(url, Buffer.from(many))).code).toBe(204004)
  })

  it('add devices by the registry’s own rules, row by row', async () => {
    await add('BI-1', { departmentId: world.b.shop }, birch)
    const headers = ['sn', 'batchNumber', 'departmentId', 'deviceType']
    const file = await bytesOf(
      [
        ['HP-1', 'B1', 'alder shop', 'Robot'],
        ['HP/2', 'B1', 'alder shop', 'Robot'],
        ['HP-3', 'B1', 'birch shop', 'Robot'],
        ['BI-1', 'B1', 'alder shop', 3],
        ['', 'B1', 'alder shop', 'Robot'],
        ['HP-1', 'B1', 'alder shop', 'Robot'],
      ],
      headers,
    )
    const checked = (await upload(`${basic}/import`, file)) as unknown as {
      data: { valid: number; errors: { row: number; code: number; message: string }[] }
    }
    expect(checked.data.valid).toBe(1)
    expect(checked.data.errors.map(({ row, code }) => [row, code])).toEqual([
      [3, 204010],
      [4, 204041],
      [5, 204014],
      [6, 204001],
      [7, 204002],
    ])
    expect(checked.data.errors.at(-1)?.message).toContain('HP-1 stands in the file more than once')
  })

  it('are read as their cells were meant, from a workbook and from a table saved as text', async () => {
    type Checked = {
      data: { valid: number; errors: { row: number; field: string; code: number }[]; preview: object[] }
    }
    const headers = ['sn', 'batchNumber', 'departmentId', 'deviceType']
    const file = await bytesOf(
      [
        [1234567, { serial: 46_266, shows: 'date' }, 'alder shop', 'Robot'],
        [12_345_678_901_234_567_000, 'B1', 'alder shop', 'Robot'],
      ],
      headers,
    )
    const { data } = (await upload(`${basic}/import`, file)) as unknown as Checked
    expect(data.preview[0]).toMatchObject({ sn: '1234567', batchNumber: '2026-09-01' })
    expect(data.errors).toMatchObject([{ row: 3, field: 'sn', code: 204046 }])
    // In the code page of a Chinese spreadsheet: 序列号,批次号,组织,设备类型
    const heading = Buffer.from('d0f2c1d0bac52cc5fab4cebac52c', 'hex')
    const text = Buffer.concat([heading, Buffer.from('departmentId,deviceType\r\nHP-7,B1,alder shop,Robot\r\n')])
    expect(await upload(`${basic}/import`, text)).toMatchObject({ code: 100000, data: { valid: 1, errors: [] } })
    expect(await upload(`${basic}/import`, Buffer.from('sn;departmentId\nHP-7;x'))).toMatchObject({
      code: 204016,
      data: { column: 'Batch number' },
    })
  })

  it('tell serial numbers apart by the case of their letters, as the wire does', async () => {
    await add('IM-42')
    const rows = ['IM-41', 'im-41', 'iM-42', 'IM-42'].map((sn) => [sn, 'B1', 'alder shop', 'Robot'])
    const file = await bytesOf(rows, ['sn', 'batchNumber', 'departmentId', 'deviceType'])
    const checked = (await upload(`${basic}/import`, file)) as unknown as { data: { importId: number } }
    expect(checked.data).toMatchObject({ valid: 3, existing: 1 })
    const { importId } = checked.data
    await alder.post(`${basic}/import/run`, { importId })
    const status = async () => (await alder.get(`${basic}/import/status`, { importId })).data
    await expect.poll(async () => (await status()).state, { timeout: 25_000 }).toBe('done')
    expect(await status()).toMatchObject({ created: 3, skipped: 1, failed: 0 })
  })
})

describe('a file of many devices', () => {
  it('is checked with a few questions to the database, whatever its length', async () => {
    const ask = vi.spyOn(pg.Client.prototype, 'query')
    const asked = async (count: number) => {
      const rows = Array.from({ length: count }, (_, at) => [`MANY-${at}`, 'B-9', 'alder shop', 'Robot'])
      const file = await bytesOf(rows, ['sn', 'batchNumber', 'departmentId', 'deviceType'])
      ask.mockClear()
      const { data } = await upload(`${basic}/import`, file)
      expect(data).toMatchObject({ total: count, valid: count })
      return ask.mock.calls.length
    }
    const few = await asked(5)
    // What goes on behind the requests asks now and then, too.
    expect((await asked(300)) - few).toBeLessThan(50)
    ask.mockRestore()
  })
})

describe('what was sent wrongly', () => {
  const many = Array.from({ length: 10_001 }, (_, at) => at + 1)
  const serials = many.map((at) => `S-${at}`)

  it.each([
    ['transferBatch', () => alder.post(`${basic}/transferBatch`, { sns: serials, departmentId: world.a.office })],
    ['delete by sn', () => alder.remove(`${basic}/delete`, { sn: serials })],
    ['delete by ids', () => alder.remove(`${basic}/delete`, { ids: many })],
    ['addDevices', () => alder.post(`${group}/addDevices`, { groupId: 1, sns: serials })],
    ['export', () => alder.post(`${basic}/export`, { flag: 1, ids: many })],
  ])('by one too many names the limit: %s', async (_, call) => {
    expect(await call()).toMatchObject({ status: 400, code: 100022, data: { limit: 10_000 } })
  })

  it.each([
    ['a name that is too long under its other name', () => ({ groupName: 'x'.repeat(24) }), 100002, 'groupName'],
    ['two names that differ', () => ({ groupName: 'A', name: 'B' }), 100002, 'groupName'],
    ['no name', () => ({}), 100001, 'name'],
    ['a type nobody has named', () => ({ name: 'A', deviceType: 500 }), 100002, 'deviceType'],
    ['a department that is not there', () => ({ name: 'A', departmentId: 'x' }), 100002, 'departmentId'],
  ])('is named as it was sent: %s', async (_, more, code, field) => {
    const draft = { deviceType: 3, departmentId: world.a.id, ...more() }
    expect(await alder.post(`${group}/create`, draft)).toMatchObject({ code, data: { field } })
  })

  it.each([
    ['deviceType=32768', 'deviceType'],
    ['model=a%00b', 'model'],
    ['iotStatus=nope', 'iotStatus'],
  ])('in a filter is named: %s', async (query, field) => {
    const answer = await world.request('GET', `${basic}/list?${query}`, undefined, { token: alder.token })
    expect(answer).toMatchObject({ status: 400, code: 100002, data: { field } })
  })

  it('is passed over in an address where it is empty, and is named as a whole where it is no object', async () => {
    const list = await world.request('GET', `${basic}/list?sn=&iotStatus=`, undefined, { token: alder.token })
    expect(list.code).toBe(100000)
    expect(await alder.remove(`${basic}/delete`, {})).toMatchObject({ data: { field: 'ids' } })
    const backwards = { startTime: '2026-02-01T00:00:00Z', endTime: '2026-01-01T00:00:00Z' }
    expect(await alder.get('/api/v3/device/task/list', backwards)).toMatchObject({
      code: 100023,
      data: { field: 'endTime' },
    })
    expect(await alder.get('/api/v3/device/task/list', { status: 'nope' })).toMatchObject({
      code: 100002,
      data: { field: 'status' },
    })
    expect(await alder.post(`${group}/create`, [] as never)).toMatchObject({ code: 100002, data: {} })
  })

  it('as the place of a device is one code, whether it is not there or out of reach', async () => {
    const draft = { sn: 'HP-1', deviceType: 3, batchNumber: 'B1' }
    for (const departmentId of [999_999, world.b.shop])
      expect(await alder.post(`${basic}/create`, { ...draft, departmentId })).toMatchObject({
        status: 400,
        code: 204013,
        data: { field: 'departmentId' },
      })
  })
})

describe('groups', () => {
  const make = async (name: string, more: object = {}) => {
    const answer = await alder.post(`${group}/create`, { name, deviceType: 3, departmentId: world.a.id, ...more })
    expect(answer.code).toBe(100000)
    return answer.data.id as number
  }

  it('by hand take one type, and a device into one of them only', async () => {
    const [robots, others] = [await make('Robots'), await make('Others')]
    await add('HP-1')
    await add('HP-2', { deviceType: 4 })
    const put = (groupId: number, ...members: string[]) => alder.post(`${group}/addDevices`, { groupId, sns: members })
    expect(await put(robots, 'HP-1', 'HP-2')).toMatchObject({ code: 204008, data: { sn: 'HP-2' } })
    expect(await sns({ groupId: robots })).toEqual([])
    expect((await put(robots, 'HP-1')).data).toMatchObject({ added: 1 })
    expect(await put(others, 'HP-1')).toMatchObject({ code: 204009, data: { sn: 'HP-1', group: 'Robots' } })
    expect(await sns({ groupId: robots })).toEqual(['HP-1'])
    const taken = await alder.post(`${group}/removeDevices`, { groupId: robots, sns: ['HP-1'] })
    expect(taken.data).toMatchObject({ removed: 1 })
    expect((await put(others, 'HP-1')).code).toBe(100000)
    expect(await put(999_999, 'HP-1')).toMatchObject({ status: 404, code: 204018 })
  })

  it('are sent and answered by either of their two names', async () => {
    const answer = await alder.post(`${group}/create`, { groupName: 'Robots', deviceType: 3, departmentId: world.a.id })
    expect(answer.code).toBe(100000)
    const { id } = answer.data
    const { data } = await alder.get(`${group}/list`, { groupName: 'Rob' })
    expect(data.rows).toMatchObject([{ name: 'Robots', groupName: 'Robots' }])
    expect((await alder.get(`${group}/detail`, { id })).data.row).toMatchObject({ name: 'Robots', groupName: 'Robots' })
    expect(await alder.put(`${group}/update`, { id, groupName: 'Others' })).toMatchObject({
      code: 100009,
      data: { field: 'groupName' },
    })
  })

  it('by hand go only when nobody is left in them, by filter at any time', async () => {
    const [robots, all] = [await make('Robots'), await make('All', { kind: 'dynamic' })]
    await add('HP-1')
    await alder.post(`${group}/addDevices`, { groupId: robots, sns: ['HP-1'] })
    const drop = (...ids: number[]) => alder.remove(`${group}/delete`, { ids })
    expect(await drop(robots, all)).toMatchObject({ status: 409, code: 204020 })
    expect(await sns({ groupId: robots })).toEqual(['HP-1'])
    await alder.post(`${group}/removeDevices`, { groupId: robots, sns: ['HP-1'] })
    expect((await drop(robots, all)).data).toEqual({ removed: 2 })
  })

  it('by filter are always true to the moment', async () => {
    const id = await make('New ones', { kind: 'dynamic' })
    const set = (filter: object) => alder.post(`${group}/setFilter`, { groupId: id, filter })
    expect((await set({ model: 'M1', iotStatus: ['offline'] })).code).toBe(100000)
    await add('HP-1', { model: 'M1' })
    await add('HP-2', { model: 'M2' })
    expect(await sns({ groupId: id })).toEqual([])
    await sql`update device set activation_status = 2`.execute(world.db)
    expect(await sns({ groupId: id })).toEqual(['HP-1'])
    await sql`update device set model = 'M1'`.execute(world.db)
    expect(await sns({ groupId: id })).toEqual(['HP-1', 'HP-2'])
    expect(await sns({ groupId: id, sn: '2' })).toEqual(['HP-2'])
    // Asked for together with one that is kept by hand.
    const robots = await make('Robots')
    await add('HP-3', { model: 'M3' })
    await alder.post(`${group}/addDevices`, { groupId: robots, sns: ['HP-3'] })
    expect(await sns({ groupId: [id, robots] })).toEqual(['HP-1', 'HP-2', 'HP-3'])
    await alder.post(`${group}/removeDevices`, { groupId: robots, sns: ['HP-3'] })
    await alder.remove(`${group}/delete`, { ids: [robots] })
    const { data } = await alder.get(`${group}/list`)
    expect(data.rows).toMatchObject([{ name: 'New ones', deviceCount: 2 }])
    const detail = await alder.get(`${group}/detail`, { id })
    expect(detail.data).toMatchObject({
      row: { name: 'New ones', deviceCount: 2 },
      filter: { model: 'M1', iotStatus: ['offline'] },
    })
    expect((await birch.get(`${group}/detail`, { id })).status).toBe(404)
    expect(await sns({ groupId: id }, birch)).toEqual([])
    expect((await set({ nonsense: 1 })).code).toBe(100009)
    expect((await set({ groupId: id })).code).toBe(100002)
    expect((await alder.post(`${group}/addDevices`, { groupId: id, sns: ['HP-1'] })).status).toBe(400)
  })
})

describe('group members', () => {
  const make = async (more: object = {}) =>
    (await alder.post(`${group}/create`, { name: 'G', deviceType: 3, departmentId: world.a.id, ...more })).data
      .id as number
  const members = async (query: object, who = alder) =>
    ((await who.get('/api/v3/device/groupDevice/list', query as Record<string, unknown>)).data.rows as object[]) ?? []

  it('are listed with when they came, and not at all without a group', async () => {
    const id = await make()
    await add('HP-1', { model: 'M1' })
    await add('HP-2')
    await alder.post(`${group}/addDevices`, { groupId: id, sns: ['HP-1'] })
    expect(await members({ groupId: id })).toMatchObject([
      { sn: 'HP-1', model: 'M1', iotStatus: 'offline', joinTime: expect.any(String) },
    ])
    expect(await members({})).toEqual([])
    expect(await members({ groupId: id }, birch)).toEqual([])
    await alder.post(`${basic}/transferBatch`, { sns: ['HP-1'], departmentId: world.a.office })
    expect(await members({ groupId: id })).toEqual([])
  })

  it('of a filter saved as a group follow it; a filter that is none saves nothing', async () => {
    await add('HP-1', { model: 'M1' })
    await add('HP-2', { model: 'M2' })
    const save = (filter: object, name = 'Ones') =>
      alder.post(`${group}/saveFilter`, { name, departmentId: world.a.id, deviceType: 3, filter })
    const { data } = await save({ model: 'M1' })
    expect(data).toMatchObject({ deviceCount: 1 })
    expect(await members({ groupId: data.id })).toMatchObject([{ sn: 'HP-1', joinTime: null }])
    await sql`update device set model = 'M1'`.execute(world.db)
    expect(await members({ groupId: data.id })).toHaveLength(2)
    expect((await save({ model: 'M1' })).code).toBe(204019)
    expect((await save({ nonsense: 1 }, 'Other')).code).toBe(100009)
    expect((await alder.get(`${group}/list`)).data.total).toBe(1)
  })
})

describe('lists of one type', () => {
  const rows = async (kind: string, query: object = {}, who = alder) =>
    (await who.get(`/api/v3/device/${kind}/list`, query as Record<string, unknown>)).data.rows as object[]

  it('hold their type only, with what those devices say of themselves', async () => {
    await add('RB-1')
    await add('KS-1', { deviceType: 5 })
    await add('VP-1', { deviceType: 4, departmentId: world.a.school })
    await sql`update device_state set robot_state = 'idle', battery = 55, iot_status = 'online',
      values = '{"printer":{"v":"paper low","t":1},"cash":{"v":"ok","t":1}}'`.execute(world.db)
    expect(await rows('robot')).toMatchObject([
      { sn: 'RB-1', robotState: 'idle', battery: 55, iotStatus: 'online', lastTask: null },
    ])
    expect(await rows('selfService')).toMatchObject([{ sn: 'KS-1', printer: 'paper low', cash: 'ok' }])
    expect(await rows('videoPhone')).toMatchObject([
      { sn: 'VP-1', schoolName: 'alder school', licence: 'none', powerOff: null },
    ])
    expect(await rows('robot', { robotState: 'working' })).toEqual([])
    expect(await rows('robot', {}, birch)).toEqual([])
  })

  it('change what people may say of those devices, of that type and within reach', async () => {
    const id = await add('RB-1')
    const other = await add('KS-1', { deviceType: 5 })
    expect((await alder.put('/api/v3/device/robot/update', { id, name: 'Bella' })).code).toBe(100000)
    expect(await rows('robot', { name: 'bell' })).toMatchObject([{ sn: 'RB-1', name: 'Bella' }])
    expect((await alder.put('/api/v3/device/robot/update', { id: other, name: 'x' })).status).toBe(404)
    expect((await birch.put('/api/v3/device/robot/update', { id, name: 'x' })).status).toBe(404)
    expect((await alder.put('/api/v3/device/robot/update', { id, robotState: 'idle' })).code).toBe(100009)
  })

  it('show the licence of a phone and the power schedule it has taken last', async () => {
    const id = await add('VP-1', { deviceType: 4, departmentId: world.a.school })
    await sql`insert into licence (kind, device_id, start_date, expiry)
      values ('im', ${id}, current_date - 9, current_date + 3), ('iot', ${id}, current_date, current_date + 99)`.execute(
      world.db,
    )
    const told = async (args: object, state: string) =>
      sql`with task as (insert into device_task (command, args, department_id)
          values ('powerSchedule', ${JSON.stringify(args)}::jsonb, ${world.a.id}) returning id)
        insert into command (task_id, device_id, sn, department_id, command, state, expires, end_time)
        select task.id, ${id}::bigint, 'VP-1', ${world.a.id}::bigint, 'powerSchedule', ${state}, now(), clock_timestamp()
        from task`.execute(world.db)
    await told({ off: '22:00', on: '06:30', weekdays: [1] }, 'done')
    await told({ off: '23:00', on: '07:00', weekdays: [1] }, 'failed')
    expect(await rows('videoPhone', { licence: 'expiring' })).toMatchObject([
      { licenceExpiry: expect.stringMatching(/^\d{4}-/), powerOff: '22:00', powerOn: '06:30' },
    ])
    expect(await rows('videoPhone', { licence: ['none', 'active'] })).toEqual([])
    await told({ off: '22:00', on: '06:30', weekdays: [1], enabled: false }, 'done')
    expect(await rows('videoPhone')).toMatchObject([{ powerOff: null, powerOn: null }])
  })
})

describe('figures', () => {
  it('add up, and stop at the border of the organisation', async () => {
    for (const sn of ['HP-1', 'HP-2', 'HP-3']) await add(sn)
    await add('BI-1', { departmentId: world.b.shop }, birch)
    await sql`update device set activation_status = 2 where sn in ('HP-1', 'HP-2')`.execute(world.db)
    await sql`update device_state set iot_status = 'online', last_seen = now()
      where device_id = (select id from device where sn = 'HP-1')`.execute(world.db)
    const { data } = await alder.get(`${basic}/statistics`)
    expect(data).toMatchObject({
      totalNum: 3,
      warehouse: 1,
      distributed: 2,
      onlineNum: 1,
      offlineNum: 1,
      onlineToday: 1,
      offlineToday: 1,
    })
    await countActivity(world.db)
    const active = await alder.get('/api/v3/home/deviceActive', { periodType: 1 })
    expect((active.data.rows as { active: number }[]).at(-1)).toMatchObject({ active: 1, previous: null })
    const summary = await alder.get('/api/v3/analysis/deviceSummary/list', { periodType: 2, pageSize: 1 })
    expect(summary.data).toMatchObject({
      total: 1,
      rows: [{ onlineDevices: 1, totalDevices: 3, onlineRate: 0.3333, assignedDevices: 2 }],
    })
  })
})
