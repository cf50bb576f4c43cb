import { readFileSync } from 'node:fs'
import { downloadFile, importTransfer, transferTemplate } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseWorkbook } from '../../platform/sheet/parse.ts'
import { writeWorkbook } from '../../platform/sheet/write.ts'
import { addDevice } from '../../test/devices.ts'
import { type Person, startWorld, type World } from '../../test/world.ts'

let world: World
let alder: Person
const basic = '/api/v3/device/basic'

beforeAll(async () => {
  world = await startWorld()
  alder = await world.as('alder.admin')
})
afterAll(() => world.stop())
beforeEach(() => sql`delete from device`.execute(world.db))

const add = async (sn: string, departmentId = world.a.shop) =>
  addDevice(world.db, { sn, departmentId, type: 3, activation: 2 })
const deviceOf = async (sn: string) =>
  (
    await sql<{ kept: boolean; departmentId: number }>`select credential_hash is not null as kept,
      department_id as "departmentId" from device where sn = ${sn}`.execute(world.db)
  ).rows[0]
const move = (sns: string[], departmentId: number, more: object = {}) =>
  alder.post(`${basic}/transferBatch`, { sns, departmentId, ...more })

describe('a transfer by selection', () => {
  it('keeps the credential anywhere in the tree below the enterprise, a school included', async () => {
    await add('HP-1')
    expect((await move(['HP-1'], world.a.school)).code).toBe(100000)
    expect(await deviceOf('HP-1')).toEqual({ kept: true, departmentId: world.a.school })
    expect((await move(['HP-1'], world.a.id)).code).toBe(100000)
    expect(await deviceOf('HP-1')).toEqual({ kept: true, departmentId: world.a.id })
  })

  it('takes it between schools of two enterprises', async () => {
    await add('HP-1', world.a.school)
    const above = await world.as('harbour.admin')
    await above.post(`${basic}/transferBatch`, { sns: ['HP-1'], departmentId: world.b.school })
    const { rows } = await sql`select activation_status as status from device`.execute(world.db)
    expect(rows).toEqual([{ status: 1 }])
    expect(await deviceOf('HP-1')).toEqual({ kept: false, departmentId: world.b.school })
  })

  it('tells those who make codes there of what comes from another enterprise, and nobody of what only moves', async () => {
    for (const sn of ['HP-1', 'HP-2']) await add(sn)
    const above = await world.as('harbour.admin')
    const titlesOf = async (person: Person) => {
      const { rows } = (await person.get('/api/v1/oauth/notifications')).data as { rows: { title: string }[] }
      return rows.map(({ title }) => title).filter((title) => title.startsWith('Devices came to birch shop'))
    }
    await move(['HP-1', 'HP-2'], world.a.office)
    await above.post(`${basic}/transferBatch`, { sns: ['HP-1', 'HP-2'], departmentId: world.b.shop })
    const birch = await world.as('birch.admin')
    await expect.poll(() => titlesOf(birch)).toEqual(['Devices came to birch shop: 2'])
    expect(await titlesOf(alder)).toEqual([])
    expect(await titlesOf(above)).toEqual([])
  })

  it.each([
    [{ sns: [] }, 204021],
    [{ sns: undefined }, 204021],
    [{ sns: ['A/B'] }, 204010],
    [{ departmentId: undefined }, 204022],
    [{ departmentId: null }, 204022],
    [{ departmentId: 999_999 }, 204013],
  ])('is refused with %j', async (wrong, code) => {
    const input = { sns: ['HP-1'], departmentId: world.a.office, ...wrong }
    expect(await alder.post(`${basic}/transferBatch`, input)).toMatchObject({ status: 400, code })
  })

  it('tells in a dry run of every one whether it goes and why not, and moves none', async () => {
    await add('HP-1')
    await add('HP-2', world.a.office)
    await add('BI-1', world.b.shop)
    const answer = await move(['HP-1', 'HP-2', 'BI-1'], world.a.office, { dryRun: true })
    const told = {
      code: 100028,
      data: {
        moved: 1,
        going: [{ sn: 'HP-1', from: 'alder shop' }],
        failed: [
          { sn: 'HP-2', code: 204023 },
          { sn: 'BI-1', code: 30103 },
        ],
      },
    }
    expect(answer).toMatchObject(told)
    expect(JSON.stringify(answer.data.failed)).toContain('BI-1 was not found')
    expect(await deviceOf('HP-1')).toMatchObject({ departmentId: world.a.shop })
    // What was promised is what is done.
    expect(await move(['HP-1', 'HP-2', 'BI-1'], world.a.office)).toMatchObject(told)
    expect(await deviceOf('HP-1')).toMatchObject({ departmentId: world.a.office })
  })
})

const bytesOf = async (rows: string[][]) => {
  const sheet = { name: 'S', columns: [{ header: '序列号' }, { header: 'Note' }], batches: [rows] }
  return Buffer.concat(await writeWorkbook([sheet]).toArray())
}
const upload = async (file: Buffer, departmentId: number | '', dryRun: boolean) => {
  const boundary = 'a-boundary'
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="rows.xlsx"\r\ncontent-type: application/octet-stream\r\n\r\n`
  const response = await world.app.inject({
    method: 'POST',
    url: `${importTransfer.path}?departmentId=${departmentId}&dryRun=${dryRun}`,
    headers: { sessionid: alder.token, 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  })
  return response.json() as { code: number; data: { moved: number; failed: object[]; fileId: number | null } }
}
const download = async (url: string) => {
  const response = await world.app.inject({ url, headers: { sessionid: alder.token } })
  return parseWorkbook(response.rawPayload)
}

describe('a transfer by file', () => {
  it('gives back the rows that failed, as they were sent, each with its reason', async () => {
    await add('FILE-1')
    const file = await bytesOf([
      ['FILE-1', 'first'],
      ['HP-9', 'second'],
    ])
    const dry = await upload(file, world.a.office, true)
    expect(dry).toMatchObject({ code: 100028, data: { moved: 1, fileId: null } })
    const { data } = await upload(file, world.a.office, false)
    expect(data).toMatchObject({ moved: 1, failed: [{ row: 3, sn: 'HP-9', code: 30103 }] })
    expect(await deviceOf('FILE-1')).toMatchObject({ departmentId: world.a.office })
    const rows = await download(`${downloadFile.path}?id=${data.fileId}`)
    expect(rows.map(({ cells }) => cells.slice(0, 2))).toEqual([
      ['序列号', 'Note'],
      ['HP-9', 'second'],
    ])
    expect(rows[1]?.cells[2]).toContain('HP-9 was not found')
    const timeline = await alder.get(`${basic}/timeline`, { sn: 'FILE-1' })
    expect((timeline.data.rows as { kind: string }[]).map(({ kind }) => kind)).toEqual(['moved', 'registered'])
  })

  it('gives them back from a dry run that lets none go', async () => {
    const { data } = await upload(await bytesOf([['HP-9', '']]), world.a.office, true)
    expect(data).toMatchObject({ moved: 0, fileId: expect.any(Number) })
  })

  it('tells of a cell whose formula failed', async () => {
    const old = readFileSync(new URL('../../platform/sheet/fixtures/excel-97.xls', import.meta.url))
    // What was true in row 183 becomes what a formula came to that found nothing.
    old.write('2a01', old.indexOf(Buffer.from('05020800b600000011000100', 'hex')) + 10, 'hex')
    const { data } = await upload(old, world.a.office, true)
    const failed = { row: 183, code: 204045, message: expect.stringContaining('#N/A') }
    expect(data.failed).toContainEqual(expect.objectContaining(failed))
  })

  it('needs a target', async () => {
    expect(await upload(await bytesOf([['HP-1', '']]), '', false)).toMatchObject({ code: 204022 })
  })

  it('has a template whose heading the upload understands', async () => {
    await add('HP-1')
    const rows = await download(transferTemplate.path)
    expect(rows.map(({ cells }) => cells)).toEqual([['Serial number']])
  })
})
