import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Cell, writeWorkbook } from '../../platform/sheet/write.ts'
import { basic, group, startRegistry } from './registry.fixture.ts'

const registry = await startRegistry()
const { world, alder, birch, draft, add, sns } = registry

afterAll(() => world.stop())
beforeEach(() => registry.clear())

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
