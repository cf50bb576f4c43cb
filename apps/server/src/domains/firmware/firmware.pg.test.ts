import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type CommandArgs,
  devicesMax,
  downloadFirmware,
  firmware,
  releaseFirmware,
  releaseKey,
} from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDevices } from '../../test/devices.ts'
import { eventually } from '../../test/mqtt.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { announce, sha256Of, uploadWhole } from '../../test/uploads.ts'
import { type Person, startWorld, type World } from '../../test/world.ts'
import { createActs, failing, silent, standDevice, thorough } from '../release/release.fixture.ts'

let world: World
let alder: Person
let birch: Person
beforeAll(async () => {
  world = await startWorld({ roles: ['api', 'gateway', 'worker'] })
  alder = await world.as('alder.admin')
  birch = await world.as('birch.admin')
})
afterAll(() => world.stop())

const { path } = firmware.wire
/** Made with Debian's own tools, see `make-fixtures.sh` beside them. */
const image = (name: string) => readFileSync(join(import.meta.dirname, '../../test/firmware', name))
let number = 100
/** Never the same name twice, and never the same bytes. */
const fileOf = (version = '3.2.0', model = 'T30') => `${model}_4G_${++number}_${version}_1.img`
const upload = async (person: Person, name: string, bytes: Buffer = randomBytes(2000)) =>
  (await uploadWhole(person, bytes, name, 'firmware')).id
const create = async (name: string, more: object = {}, bytes?: Buffer) =>
  alder.post(`${path}/create`, {
    uploadId: await upload(alder, name, bytes),
    type: 'full',
    departmentId: world.a.id,
    ...more,
  })
const add = async (version?: string, more: object = {}, name = fileOf(version)) => {
  const made = await create(name, more)
  expect(made).toMatchObject({ code: 100000 })
  return Number(made.data.id)
}
const rowOf = async (id: number) =>
  ((await alder.get(`${path}/list`, { pageSize: 100 })).data.otas as { id: number }[]).find((row) => row.id === id)
const release = (id: number, sns: readonly string[], more: object = {}) =>
  alder.post(releaseFirmware.path, { id, targets: [{ sns }], mode: 'offline', ...more })
/** A device of a model that says what runs on it. */
const stand = async (
  sn: string,
  version: string | null = '3.1.0',
  model: string | null = 'T30',
  place = world.a.shop,
) => {
  await addDevices(world.db, [sn], { departmentId: place })
  await runs(sn, version, model)
}
const runs = async (sn: string, version: string | null, model: string | null) => {
  await sql`update device set model = ${model} where sn = ${sn}`.execute(world.db)
  await sql`insert into device_state (device_id, firmware_version) select id, ${version} from device where sn = ${sn}
    on conflict (device_id) do update set firmware_version = excluded.firmware_version`.execute(world.db)
}

describe('a package', () => {
  it('is what its name says', async () => {
    const bytes = randomBytes(3000)
    const { data } = await create('T30_4G_10_3.2.0_1.img', { description: 'mends the printer' }, bytes)
    expect(await rowOf(Number(data.id))).toMatchObject({
      name: 'T30_4G_10_3.2.0_1.img',
      model: 'T30',
      wireless: '4G',
      systemVersion: '10',
      firmwareVersion: '3.2.0',
      packageVersion: '1',
      size: 3000,
      sha256: sha256Of(bytes),
      type: 'full',
      description: 'mends the printer',
    })
    const response = await world.app.inject({
      url: `${downloadFirmware.path}?id=${data.id}`,
      headers: { sessionid: alder.token, range: 'bytes=0-9' },
    })
    expect([response.statusCode, response.rawPayload]).toEqual([206, bytes.subarray(0, 10)])
  })

  it('is an image of a file system as strangers make it, or several in an archive', async () => {
    expect((await create(fileOf(), {}, image('boot.vfat.img'))).code).toBe(100000)
    expect((await create(fileOf().replace('.img', '.zip'), {}, image('both.zip'))).code).toBe(100000)
    // An archive by its name alone is none.
    await expect(create(fileOf().replace('.img', '.zip'), {}, image('system.ext4.img'))).rejects.toThrow('53040')
  })

  it('is refused by its name: the ending, the first wrong part, a file that is there', async () => {
    const ending = await announce(alder, randomBytes(10), { name: 'T30_4G_10_3.2.0_1.exe', purpose: 'firmware' })
    expect(ending.code).toBe(63000)
    expect(await create('T30_4G__3.2.0_1.img')).toMatchObject({ code: 63009, data: { part: 'sv' } })
    expect(await create('T30_4G_10.img')).toMatchObject({ code: 63009, data: { part: 'fv' } })
    const name = fileOf()
    await create(name)
    expect(await create(name.replace('T30', 't30'))).toMatchObject({ code: 63001 })
    expect(await alder.get(`${path}/list`, { pageSize: 200 })).toMatchObject({ code: 63002 })
    // Somebody else's shelf.
    const uploadId = await upload(birch, name)
    expect(await birch.post(`${path}/create`, { uploadId, type: 'full', departmentId: world.b.id })).toMatchObject({
      code: 100000,
    })
  })

  it('of a difference says from which version', async () => {
    expect((await create(fileOf(), { type: 'differential' })).code).toBe(100001)
    expect(await rowOf(await add('3.2.1', { type: 'differential', base: '3.2.0' }))).toMatchObject({ base: '3.2.0' })
  })

  it('is permitted to enterprises in reach, in a list that has an end', async () => {
    const list = (characters: number) => `${world.a.id}`.padEnd(characters, `,${world.a.id}`).replace(/,[^,]*$/, '')
    expect((await create(fileOf(), { permitEids: `${'1,'.repeat(4096)}1` })).code).toBe(63004)
    expect((await create(fileOf(), { permitEids: list(8000) })).code).toBe(100000)
    expect((await create(fileOf(), { permitEids: String(world.b.id) })).code).not.toBe(100000)
  })

  it('is another enterprise’s business alone', async () => {
    const id = await add()
    expect((await birch.get(`${path}/list`, { pageSize: 100 })).data.otas).not.toContainEqual(
      expect.objectContaining({ id }),
    )
    expect((await birch.post(releaseFirmware.path, { id, targets: [{ sns: ['X'] }], mode: 'offline' })).code).toBe(
      63006,
    )
    const { statusCode } = await world.app.inject({
      url: `${downloadFirmware.path}?id=${id}`,
      headers: { sessionid: birch.token },
    })
    expect(statusCode).toBe(404)
  })
})

describe('a release of firmware', () => {
  it('leaves out devices of another model, with another base, with that version or a newer one', async () => {
    await stand('FW-OTHER', '3.1.0', 'T40')
    await stand('FW-NONE', '3.1.0', null)
    await stand('FW-SAME', '3.2.0')
    await stand('FW-NEWER', '3.10.0')
    await stand('FW-OLD', '3.0.9')
    const full = await add('3.2.0')
    const difference = await add('3.2.0', { type: 'differential', base: '3.1.0' })
    expect(await release(full, ['FW-OTHER'])).toMatchObject({ code: 63011, data: { sn: 'FW-OTHER' } })
    expect((await release(full, ['FW-NONE'])).code).toBe(63011)
    expect((await release(full, ['FW-SAME'])).code).toBe(63045)
    expect((await release(full, ['FW-NEWER'])).code).toBe(63046)
    expect((await release(difference, ['FW-OLD'])).code).toBe(63018)
    const down = await release(full, ['FW-NEWER'], { action: 'downgrade' })
    expect(down).toMatchObject({ code: 100000, data: { total: 1 } })
    const preview = await alder.post('/api/v3/release/preview', {
      kind: 'firmware',
      itemId: full,
      targets: [{ sns: ['FW-OTHER', 'FW-SAME', 'FW-OLD'] }],
      mode: 'offline',
    })
    expect(preview.data).toMatchObject({ receiving: 1, current: 1, bytes: 2000 })
  })

  it('goes to permitted enterprises only', async () => {
    await stand('FW-MINE')
    await stand('FW-BELOW', '3.1.0', 'T30', world.a.shop)
    const id = await add('3.2.0')
    await sql`update firmware set permit_eids = '999999', department_id = (select d.id from department d
      where d.path = subpath((select path from department where id = ${world.a.id}), 0, 1)) where id = ${id}`.execute(
      world.db,
    )
    const root = await world.as('admin')
    const answer = await root.post(releaseFirmware.path, { id, targets: [{ sns: ['FW-BELOW'] }], mode: 'offline' })
    expect(answer).toMatchObject({ code: 63005 })
  })

  it('names nobody, too many, a time that is missing or over, several entries or enterprises', async () => {
    const id = await add('3.2.0')
    const [first, second] = ['FW-A', 'FW-B']
    await stand('FW-A')
    await stand('FW-B', '3.1.0', 'T30', world.b.shop)
    const root = await world.as('admin')
    const ask = (more: object, sns: readonly string[] = [String(first)]) => release(id, sns, more)
    expect((await ask({ targets: [] })).code).toBe(63012)
    const many = Array.from({ length: devicesMax + 1 }, (_, at) => `M-${at}`)
    expect((await ask({}, many)).code).toBe(63003)
    expect((await ask({ mode: 'scheduled' })).code).toBe(63013)
    expect((await ask({ mode: 'scheduled', beginTime: '2020-01-01T00:00:00Z' })).code).toBe(63014)
    expect((await ask({ targets: [{ sns: [first] }, { departmentId: world.a.shop }] })).code).toBe(63007)
    const both = { id, targets: [{ sns: [first, second] }], mode: 'offline' }
    expect((await root.post(releaseFirmware.path, both)).code).toBe(63008)
  })

  it('is one at a time for a device and a department, and keeps its package', async () => {
    await stand('FW-BUSY')
    const id = await add('3.2.0')
    expect((await release(id, ['FW-BUSY'])).code).toBe(100000)
    expect(await release(id, ['FW-BUSY'])).toMatchObject({ code: 63043, data: { sn: 'FW-BUSY' } })
    expect((await alder.remove(`${path}/delete`, { ids: [id] })).code).toBe(63015)
    const whole = { targets: [{ departmentId: world.a.shop }], partly: true }
    // Some of them are busy, and left out.
    expect((await release(id, [], whole)).code).toBe(100028)
    await stand('FW-LATER')
    expect((await release(id, [], whole)).code).toBe(63044)
    expect((await alder.remove(`${path}/delete`, { ids: [await add('9.9')] })).code).toBe(100000)
  })

  it('sends a file that can be fetched and a manifest that the key of the installation proves', async () => {
    const sn = 'FW-REAL'
    const device = await standDevice(world, sn, world.a.shop, thorough)
    await runs(sn, '3.1.0', 'T30')
    const bytes = image('system.ext4.img')
    const name = fileOf('3.2.0')
    const { data } = await create(name, {}, bytes)
    const acts = createActs(alder)
    const made = await release(Number(data.id), [sn], { mode: 'realTime', options: { bytesPerSecond: 50_000 } })
    await acts.until(Number(made.data.id), ({ row }) => row.state === 'ended')
    expect(await acts.stateOf(Number(made.data.id), sn)).toMatchObject({ state: 'succeeded' })
    const args = device.told[0]?.args as CommandArgs<'upgradeFirmware'>
    expect(args).toMatchObject({ version: '3.2.0', minBattery: 30, bytesPerSecond: 50_000 })
    const key = (await world.app.inject(releaseKey.path)).json().data.releaseKey as string
    const file = await world.app.inject(args.file.url)
    expect(sha256Of(file.rawPayload)).toBe(sha256Of(bytes))
    // As somebody does who has nothing of ours but the example.
    const folder = await temporaryFolder()
    const put = async (named: string, content: string | Buffer) => {
      await writeFile(join(folder, named), content)
      return join(folder, named)
    }
    const files = [await put('key', key), await put('manifest', args.manifest), await put('file', file.rawPayload)]
    const example = join(import.meta.dirname, '../../../../../docs/examples/verify-manifest.sh')
    const said = execFileSync('sh', [example, ...files, 'firmware', 'T30'], { encoding: 'utf8' })
    expect(said.trim()).toBe(`firmware ${name} 3.2.0 is right`)
    device.leave()
  })

  it('cancels what has begun and tries again what has failed, and nothing else', async () => {
    const sn = 'FW-STATES'
    const device = await standDevice(world, sn, world.a.shop, silent)
    await runs(sn, '3.1.0', 'T30')
    const acts = createActs(alder)
    const id = await add('3.2.0')
    const made = await release(id, [sn], { mode: 'realTime', options: { retries: 0 } })
    const releaseId = Number(made.data.id)
    await eventually(
      async () => device.told.length,
      (told) => told === 1,
    )
    expect((await acts.act('cancelDevices', releaseId, { sns: [sn] })).code).toBe(63016)
    expect((await acts.act('retryDevices', releaseId, { sns: [sn] })).code).toBe(63017)
    device.mind(failing('notEnoughSpace: 3 MiB are free'))
    await device.say(device.told[0]?.id ?? '', { state: 'failed', error: 'baseDiffers: this is 3.0' })
    await acts.until(releaseId, ({ row }) => row.failed === 1)
    expect(await acts.stateOf(releaseId, sn)).toMatchObject({ reason: 'baseDiffers', detail: 'this is 3.0' })
    device.leave()
  })
})
