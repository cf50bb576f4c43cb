import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FileValue } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { uploadWhole } from '../../test/uploads.ts'
import { type Person, startWorld, type World } from '../../test/world.ts'

const path = '/api/v3/device/apk/packages'
/** Made with Debian's own tools, see `make-fixtures.sh`. */
const fixture = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../../../../packages/apk/test/fixtures', name))

let world: World
let alder: Person
let birch: Person
let root: Person
let category: number

beforeAll(async () => {
  world = await startWorld()
  alder = await world.as('alder.admin')
  birch = await world.as('birch.admin')
  root = await world.as('admin')
  category = (await list(root, '/api/v3/device/apk/category', 'rows')).find(({ name }) => name === 'Finance')
    ?.id as number
})
afterAll(() => world.stop())
beforeEach(() => sql`delete from app_package`.execute(world.db))

const digest = (kind: string, bytes: Buffer) => createHash(kind).update(bytes).digest('hex')

const sent = async (who: Person, content: Buffer, name: string) => (await uploadWhole(who, content, name, 'package')).id
const add = async (who: Person, name: string, more: object = {}) => {
  const file = await sent(who, fixture(name), name)
  const departmentId = who === birch ? world.b.id : world.a.id
  return who.post(`${path}/create`, { file, appCate: category, departmentId, ...more })
}
type Shown = Record<string, unknown> & { id: number }
const list = async (who: Person, at = path, key = 'apks') => (await who.get(`${at}/list`)).data[key] as Shown[]
const only = async (who: Person) => (await list(who))[0] as Shown

describe('an app', () => {
  it('is what its file says, with its icon', async () => {
    expect(await add(alder, 'v1-v2-v3.apk', { description: 'for tills' })).toMatchObject({ code: 100000 })
    const app = await only(alder)
    expect(app).toMatchObject({
      packageName: 'com.example.kiosk',
      version: '3.2.0',
      versionCode: '42',
      size: fixture('v1-v2-v3.apk').length,
      sha256: digest('sha256', fixture('v1-v2-v3.apk')),
      signer: expect.stringMatching(/^[0-9a-f]{64}$/),
      permissions: expect.arrayContaining(['android.permission.NFC']),
      appCateName: 'Finance',
      storeStatus: 0,
      type: 'private',
    })
    expect(app.icon).toMatchObject({ type: 'image/png' })
    const icon = await world.app.inject({
      method: 'GET',
      url: `${path}/file/icon?id=${app.id}`,
      headers: { sessionid: alder.token },
    })
    expect(icon.rawPayload.subarray(1, 4).toString()).toBe('PNG')
    expect((await birch.get(`${path}/list`)).data.total).toBe(0)
  })

  it.each(['stored.zip', 'packed.zip'])('is found in %s and kept as itself', async (name) => {
    expect(await add(alder, name)).toMatchObject({ code: 100000 })
    expect(await only(alder)).toMatchObject({ sha256: digest('sha256', fixture('v2-v3.apk')) })
  })

  it.each([
    ['two.zip', 53007],
    ['unsigned.apk', 53026],
    ['split.apk', 53028],
    ['needs-splits.apk', 53028],
    ['encrypted.zip', 53008],
  ])('is not made of %s: %i', async (name, code) => {
    expect(await add(alder, name)).toMatchObject({ code })
    expect(await list(alder)).toEqual([])
  })

  it('is kept in no enterprise but one’s own', async () => {
    expect(await add(alder, 'v1-v2.apk', { departmentId: world.b.id })).toMatchObject({ code: 53005 })
  })

  it('is none because it is called so', async () => {
    const content = Buffer.from('PK not an archive at all, only called one')
    const file = await sent(alder, content, 'kiosk.apk')
    const answer = await alder.post(`${path}/create`, { file, appCate: category, departmentId: world.a.id })
    expect(answer).toMatchObject({ code: 53000 })
  })

  it('comes in one version once, never lower, and from the same signer', async () => {
    await add(alder, 'v1-v2.apk')
    expect(await add(alder, 'v1-v2-v3.apk')).toMatchObject({ code: 53001, data: { version: '3.2.0' } })
    expect(await add(birch, 'v1-v2-v3.apk')).toMatchObject({ code: 100000 })
    await sql`update app_package set version_code = 43, version = '3.3.0'`.execute(world.db)
    expect(await add(alder, 'v1-v2-v3.apk')).toMatchObject({ code: 53024, data: { newest: '3.3.0' } })
    await sql`update app_package set version_code = 41`.execute(world.db)
    expect(await add(alder, 'v1-v2-v3.apk')).toMatchObject({ code: 100000 })
    await sql`delete from app_package where version_code = 42`.execute(world.db)
    await sql`update app_package set signers = array['somebody else']`.execute(world.db)
    expect(await add(alder, 'v1-v2-v3.apk')).toMatchObject({ code: 53025 })
  })

  it('is permitted to as many enterprises as fit', async () => {
    await add(alder, 'v1-v2.apk')
    const { id } = await only(alder)
    const joined = (length: number) => Array.from({ length }, (_, at) => String(100_000 + at)).join(',')
    expect(joined(1_170)).toHaveLength(8_189)
    expect(await alder.put(`${path}/update`, { id, permitEids: joined(1_170) })).toMatchObject({ code: 100000 })
    expect(await alder.put(`${path}/update`, { id, permitEids: joined(1_171) })).toMatchObject({ code: 53004 })
  })

  it('is fetched as it was uploaded, and who fetched it is written down', async () => {
    await add(alder, 'v1-v2.apk')
    const { id } = await only(alder)
    const answer = await world.app.inject({
      method: 'GET',
      url: `${path}/download?id=${id}`,
      headers: { sessionid: alder.token },
    })
    expect(digest('sha256', answer.rawPayload)).toBe(digest('sha256', fixture('v1-v2.apk')))
    expect(await list(alder, '/api/v3/device/apk/download', 'rows')).toMatchObject([
      { packageName: 'com.example.kiosk', userName: 'alder admin', result: 'success' },
    ])
    expect((await birch.get(`${path}/download`, { id })).code).toBe(100017)
  })
})

describe('the store', () => {
  const audit = '/api/v3/device/apk/audit'
  const store = '/api/v3/device/apk/store'
  const decide = (step: string, body: object) => root.post(`${audit}/${step}`, body as Record<string, unknown>)

  it('is reached by submitting and passing, and left with a reason', async () => {
    await add(alder, 'v1-v2.apk', { type: 'public', appPushShop: true })
    const { id, storeStatus } = await only(alder)
    expect(storeStatus).toBe(1)
    expect(await list(birch, store, 'rows')).toEqual([])
    expect(await decide('pass', { id })).toMatchObject({ code: 53014 })
    expect(await decide('review', { id })).toMatchObject({ code: 100000 })
    expect(await decide('reject', { id })).toMatchObject({ code: 53015 })
    expect(await decide('reject', { id, reason: 'no icon' })).toMatchObject({ code: 100000 })
    expect(await only(alder)).toMatchObject({ storeStatus: 4, storeReason: 'no icon' })
    expect(await alder.post(`${path}/submit`, { id })).toMatchObject({ code: 100000 })
    await decide('review', { id })
    expect(await decide('pass', { id })).toMatchObject({ code: 100000 })
    expect(await list(birch, store, 'rows')).toMatchObject([{ packageName: 'com.example.kiosk' }])
    expect(await list(birch, '/api/v3/device/apk/storeOld', 'rows')).toMatchObject([{ version: '3.2.0' }])
    expect(await alder.post(`${path}/takeDown`, { id, reason: 'old' })).toMatchObject({ code: 100000 })
    expect(await list(birch, store, 'rows')).toEqual([])
    expect(await only(alder)).toMatchObject({ storeStatus: 5, storeReason: 'old' })
  })

  it('shows a private app to its own enterprise and to those it is permitted', async () => {
    await add(alder, 'v1-v2.apk')
    const { id } = await only(alder)
    expect(await list(birch, store, 'rows')).toEqual([])
    await alder.put(`${path}/update`, { id, permitEids: String(world.b.id) })
    expect(await list(birch, store, 'rows')).toMatchObject([{ packageName: 'com.example.kiosk' }])
    // Permitted to be used, not to be changed.
    expect((await birch.put(`${path}/update`, { id, description: 'mine' })).code).toBe(100017)
  })

  it('becomes an app of an enterprise that adds it, with its file and icon, whatever becomes of the first', async () => {
    await add(alder, 'v1-v2-v3.apk')
    const { id } = await only(alder)
    const take = (more: object = {}) => birch.post(`${store}/addToMine`, { id, departmentId: world.b.id, ...more })
    expect((await take()).code).toBe(100017)
    await alder.put(`${path}/update`, { id, permitEids: String(world.b.id) })
    expect((await take({ departmentId: world.a.id })).code).not.toBe(100000)
    expect((await take()).code).toBe(100000)
    expect((await take()).code).toBe(53001)
    const bytes = fixture('v1-v2-v3.apk')
    await alder.remove(`${path}/delete`, { ids: [id] })
    const mine = await only(birch)
    expect(mine).toMatchObject({ sha256: digest('sha256', bytes), type: 'private', storeStatus: 0, versionCode: '42' })
    const asked = { method: 'GET' as const, headers: { sessionid: birch.token } }
    const icon = await world.app.inject({ ...asked, url: `${path}/file/icon?id=${mine.id}` })
    expect(icon.rawPayload.subarray(1, 4).toString()).toBe('PNG')
    const detail = (await birch.get(`${path}/detail?id=${mine.id}`)).data
    expect(detail).toMatchObject({ row: { id: mine.id }, versions: [{ id: mine.id, version: '3.2.0' }] })
    // A device reads where it is from a picture, and fetches it without a session.
    const link = (await birch.get(`${path}/link?id=${mine.id}`)).data as { path: string; until: string }
    const fetched = await world.app.inject({ method: 'GET', url: link.path })
    expect(fetched.rawPayload.equals(bytes)).toBe(true)
    expect((await alder.get(`${path}/link?id=${mine.id}`)).code).toBe(100017)
  })

  it('is audited by those who keep the installation, and by nobody else', async () => {
    expect((await alder.get(`${audit}/list`)).status).toBe(403)
  })
})

describe('a category', () => {
  const at = '/api/v3/device/apk/category'

  it('is named once, and stays while apps belong to it', async () => {
    expect(await root.post(`${at}/create`, { name: 'finance' })).toMatchObject({ code: 53017 })
    await add(alder, 'v1-v2.apk')
    expect(await root.remove(`${at}/delete`, { ids: [category] })).toMatchObject({ code: 53018 })
  })
})

describe('a signing key', () => {
  const at = '/api/v3/device/apk/secret'
  const folder = mkdtempSync(join(tmpdir(), 'campanile-key-'))
  const pem = (word: string, value: string) => {
    const [key, certificate] = [`${word}.key`, `${word}.crt`].map((name) => join(folder, name)) as [string, string]
    const asked = ['req', '-x509', '-newkey', 'rsa:2048', '-days', '2', '-subj', `/CN=${word}`, '-keyout', key]
    execFileSync('openssl', [...asked, '-out', certificate, '-passout', `pass:${value}`], { stdio: 'ignore' })
    return Buffer.concat([readFileSync(certificate), readFileSync(key)])
  }
  /** Only whoever keeps the keys of the service provider may, and only while keys are asked for. */
  let keeper: Person
  beforeAll(async () => {
    await sql`insert into system_config (key, value) values ('signSecret', 'true')`.execute(world.db)
    // Settings are looked at again after a moment.
    world.clock.advance(2)
    await world.appoint('harbour', 'safety', world.si)
    keeper = await world.as('harbour.safety')
  })
  const keyFile = async (content: Buffer) =>
    (await keeper.upload(`${at}/upload/keyFile?name=key.pem`, content)).data as unknown as FileValue
  const addKey = async (name: string, content: Buffer, value: string) =>
    keeper.post(`${at}/create`, {
      name,
      departmentId: world.a.id,
      keyFile: await keyFile(content),
      keyValue: await world.sealed(value),
    })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('is kept where the value unlocks the file, is named once, and its value is never told', async () => {
    const content = pem('alder', 'Harbour-1')
    expect(await addKey('Kiosk', content, 'wrong')).toMatchObject({ code: 53021 })
    expect(await addKey('Kiosk', Buffer.from('no key'), 'Harbour-1')).toMatchObject({ code: 53021 })
    expect(await addKey('Kiosk', content, 'Harbour-1')).toMatchObject({ code: 100000 })
    expect(await addKey('kiosk', content, 'Harbour-1')).toMatchObject({ code: 53019 })
    const [key] = await list(keeper, at, 'rows')
    expect(key).toMatchObject({ name: 'Kiosk', fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/), apps: 0 })
    expect(key).not.toHaveProperty('keyValue')
  })

  it('is asked of apps that name it, and stays while they do', async () => {
    const [key] = (await list(keeper, at, 'rows')) as [Shown]
    expect(await add(alder, 'v1-v2.apk', { signingKeyId: key.id })).toMatchObject({ code: 53027 })
    await add(alder, 'v1-v2.apk')
    const { id, signer } = await only(alder)
    expect(await alder.put(`${path}/update`, { id, signingKeyId: key.id })).toMatchObject({ code: 53027 })
    await sql`update signing_key set fingerprint = ${signer as string} where id = ${key.id}`.execute(world.db)
    expect(await alder.put(`${path}/update`, { id, signingKeyId: key.id })).toMatchObject({ code: 100000 })
    expect(await keeper.remove(`${at}/delete`, { ids: [key.id] })).toMatchObject({ code: 53020 })
  })
})
