import { department, type FileValue } from '@campanile/contract'
import * as fields from '@campanile/contract/kit'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addRole, addUser } from '../../test/app.ts'
import { pngOf } from '../../test/png.ts'
import { type Person, startWorld, type World } from '../../test/world.ts'
import { createTable } from '../create-table.ts'
import { mountPlain, plainTable } from '../plain.ts'

/** A room that only this test has: one picture, one file that must be there, one value that is never shown. */
const badge = fields.defineResource({
  name: 'testBadge',
  wire: { path: '/api/v1/testBadge' },
  fields: {
    label: fields.text(),
    face: fields.optional(fields.image(4096)),
    contract: fields.file(1024, ['pdf', 'text']),
    number: fields.masked(32),
    departmentId: department(),
    departmentName: fields.readOnly(fields.text()),
  },
  list: { columns: ['label', 'face', 'contract', 'number', 'departmentId'], filters: ['label'], sort: 'label' },
  form: { basics: ['label', 'face', 'contract', 'number', 'departmentId'] },
  perms: {
    list: 'test:badge:list',
    create: 'test:badge:add',
    update: 'test:badge:edit',
    remove: 'test:badge:delete',
  },
  scope: 'organisation',
})
const path = badge.wire.path
const picture = pngOf(16, 16)
const paper = Buffer.from('%PDF-1.7 a contract')

let world: World
let alder: Person
let birch: Person
let reader: Person

beforeAll(async () => {
  world = await startWorld({ also: ({ kit }) => mountPlain(kit, plainTable(badge)) })
  const owner = new pg.Client(world.database.owner)
  await owner.connect()
  await owner.query(createTable(badge))
  await owner.end()
  const clerk = async (username: string, departmentId: number, permissions: readonly string[]) => {
    const roleId = await addRole(world.db, { departmentId, permissions })
    await addUser(world.db, { username, departmentId, type: 2, roleIds: [roleId] })
    return world.as(username)
  }
  const all = Object.values(badge.perms)
  alder = await clerk('alder.clerk', world.a.id, all)
  birch = await clerk('birch.clerk', world.b.id, all)
  reader = await clerk('alder.reader', world.a.id, [badge.perms.list])
})
afterAll(() => world.stop())

const send = async (who: Person, field: string, content: Buffer, name = 'a.pdf') =>
  who.upload(`${path}/upload/${field}?name=${encodeURIComponent(name)}`, content)
const sent = async (who: Person, field: string, content: Buffer, name?: string) => {
  const answer = await send(who, field, content, name)
  expect(answer).toMatchObject({ code: 100000 })
  return answer.data as unknown as FileValue
}
const draft = async (label: string, more: object = {}) => ({
  label,
  number: '310101199001011234',
  departmentId: world.a.id,
  contract: await sent(alder, 'contract', paper),
  ...more,
})
const add = async (label: string, more: object = {}) => {
  const answer = await alder.post(`${path}/create`, await draft(label, more))
  expect(answer).toMatchObject({ code: 100000 })
  return answer.data.id as number
}
const rowOf = async (id: number) =>
  ((await alder.get(`${path}/list`, { ids: id })).data as { rows: Record<string, unknown>[] }).rows[0]
const fetched = (who: Person, field: string, id: number) =>
  world.app.inject({ url: `${path}/file/${field}?id=${id}`, headers: { sessionid: who.token } })
const keys = async () =>
  (await sql<{ id: number }>`select id from stored_file`.execute(world.db)).rows.map(({ id }) => id)
const sweep = () => world.app.services.kit.longWork.storedFiles.removeUnheld()
const ageAll = () => sql`update stored_file set create_time = now() - interval '2 days'`.execute(world.db)

describe('a file of a row', () => {
  it('is shown with the row and comes back as it was sent, to whoever sees the row', async () => {
    const id = await add('A', { face: await sent(alder, 'face', picture, '脸.png') })
    expect(await rowOf(id)).toMatchObject({
      face: { name: '脸.png', size: picture.length, type: 'image/png' },
      contract: { name: 'a.pdf', size: paper.length, type: 'application/pdf' },
    })
    const face = await fetched(reader, 'face', id)
    expect(face.rawPayload).toEqual(picture)
    expect(face.headers).toMatchObject({ 'content-type': 'image/png', 'x-content-type-options': 'nosniff' })
    const contract = await fetched(reader, 'contract', id)
    expect(contract.rawPayload).toEqual(paper)
    expect(contract.headers['content-disposition']).toMatch(/^attachment; filename="a\.pdf"/)
    expect((await fetched(birch, 'contract', id)).json()).toMatchObject({ code: 100017 })
  })

  it('is judged by its bytes and its weight, whatever it is called', async () => {
    expect(await send(alder, 'face', paper, 'face.png')).toMatchObject({ code: 100002, data: { field: 'face' } })
    expect(await send(alder, 'face', pngOf(9000, 1), 'face.png')).toMatchObject({ code: 100002 })
    expect(await send(alder, 'contract', Buffer.from([0, 1, 2, 3]), 'a.txt')).toMatchObject({ code: 100002 })
    expect(await send(alder, 'contract', Buffer.alloc(1025, 'a'))).toMatchObject({ code: 53034 })
    expect(await send(alder, 'contract', paper, '../a.pdf')).toMatchObject({ code: 100002 })
    expect(await send(reader, 'contract', paper)).toMatchObject({ code: 100013 })
  })

  it('is given to one row, by whoever sent it, for the field it was sent for', async () => {
    const foreign = await sent(birch, 'contract', paper)
    const refused = { code: 53030, data: { field: 'contract' } }
    expect(await alder.post(`${path}/create`, await draft('B', { contract: foreign }))).toMatchObject(refused)
    const face = await sent(alder, 'face', picture)
    expect(await alder.post(`${path}/create`, await draft('B', { contract: face }))).toMatchObject(refused)
    const id = await add('B')
    const held = (await rowOf(id))?.contract
    expect(await alder.post(`${path}/create`, await draft('C', { contract: held }))).toMatchObject(refused)
    // Whoever may change the row but did not send its file leaves it there.
    const admin = await world.as('alder.admin')
    expect((await admin.put(`${path}/update`, { id, label: 'B2' })).code).not.toBe(53030)
    expect((await alder.put(`${path}/update`, { id, contract: held, label: 'B3' })).code).toBe(100000)
    expect((await rowOf(id))?.contract).toEqual(held)
  })

  it('may be taken away where the field may be empty, and goes when no row holds it', async () => {
    const id = await add('D', { face: await sent(alder, 'face', picture) })
    const { face, contract } = (await rowOf(id)) as { face: FileValue; contract: FileValue }
    const abandoned = await sent(alder, 'face', picture)
    expect((await alder.put(`${path}/update`, { id, face: null })).code).toBe(100000)
    expect((await fetched(alder, 'face', id)).json()).toMatchObject({ code: 100017 })
    await sweep()
    expect(await keys()).toEqual(expect.arrayContaining([face.id, abandoned.id, contract.id]))
    await ageAll()
    await sweep()
    const left = await keys()
    expect(left).toContain(contract.id)
    expect(left).not.toContain(face.id)
    expect(left).not.toContain(abandoned.id)
    expect((await fetched(alder, 'contract', id)).statusCode).toBe(200)
    await alder.remove(`${path}/delete`, { ids: [id] })
    await sweep()
    expect(await keys()).not.toContain(contract.id)
  })
})

describe('a masked value', () => {
  it('is shown as a mask, and stays when nothing is entered', async () => {
    const id = await add('E')
    const stored = async () =>
      (await sql<{ number: string }>`select number from test_badge where id = ${id}`.execute(world.db)).rows[0]?.number
    expect((await rowOf(id))?.number).toBe('***')
    for (const number of ['', null])
      expect((await alder.put(`${path}/update`, { id, number, label: 'E2' })).code).toBe(100000)
    expect(await stored()).toBe('310101199001011234')
    expect((await alder.put(`${path}/update`, { id, number: '42' })).code).toBe(100000)
    expect(await stored()).toBe('42')
    const { rows } = await sql<{ line: string }>`select row_to_json(l)::text as line from op_log l`.execute(world.db)
    expect(rows.filter(({ line }) => line.includes('310101199001011234'))).toEqual([])
  })
})
