import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { deflateSync } from 'node:zlib'
import { downloadFile, exportFile, getLog, type Row, taskDevice, uploadCommandFile } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addRole, addUser } from '../../test/app.ts'
import { pngOf } from '../../test/png.ts'
import { type Person, startWorld, type World } from '../../test/world.ts'
import { takeExpired } from '../file/file.store.ts'
import { createMessageIds, type MessageIds } from './message-id.ts'
import { createUploadTokens, type UploadTokens } from './upload.service.ts'

let world: World
let alder: Person
let tokens: UploadTokens
let ids: MessageIds
let address: string

beforeAll(async () => {
  world = await startWorld()
  alder = await world.as('alder.admin')
  tokens = createUploadTokens(world.secrets.signingKey)
  ids = createMessageIds(world.secrets.signingKey)
  address = await world.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => world.stop())
beforeEach(async () => {
  await sql`delete from device_task`.execute(world.db)
  await sql`delete from device`.execute(world.db)
  await sql`delete from export_file`.execute(world.db)
})

type Asked = { sn: string; id: number; attempt: number; url: string; token: string }

/** A command that waits for its file, as its device was told of it. */
const ask = async (sn: string, command: string, args: object = {}): Promise<Asked> => {
  await sql`insert into device (sn, department_id, device_type, batch_number) values (${sn}, ${world.a.shop}, 3, 'B')
    on conflict do nothing`.execute(world.db)
  expect(await alder.post('/api/v3/device/basic/command', { command, args, sns: [sn] })).toMatchObject({ code: 100000 })
  return asked(sn)
}
const asked = async (sn: string): Promise<Asked> => {
  const { rows } = await sql<{ id: number; attempt: number; command: string }>`select id, attempt, command from command
    where sn = ${sn} order by id desc limit 1`.execute(world.db)
  const { id, attempt, command } = rows[0] as { id: number; attempt: number; command: string }
  const { url = '', token = '' } = tokens.uploadFor(command, sn, ids.write({ id, attempt, sn, plainId: false })) ?? {}
  return { sn, id, attempt, url, token }
}
const put = async (
  { url, token }: Pick<Asked, 'url' | 'token'>,
  body: Buffer | Readable,
  headers: Record<string, string> = {},
) => {
  const response = await fetch(`${address}${url}`, {
    method: 'PUT',
    headers: { 'x-upload-token': token, 'content-type': 'application/octet-stream', ...headers },
    body: body instanceof Readable ? (Readable.toWeb(body) as never) : new Uint8Array(body),
    duplex: 'half',
  } as RequestInit)
  return { status: response.status, ...((await response.json()) as { code: number; data: Record<string, unknown> }) }
}
const deviceRow = async (sn: string, who = alder) =>
  ((await who.get(`${taskDevice.wire.path}/list`, { sn })).data.rows as Row<typeof taskDevice>[])[0]
const storedFiles = async () => {
  const folder = join(world.app.services.config.dataDir, 'files')
  return (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length
}
const download = async (fileId: number, { token }: Person) =>
  fetch(`${address}${downloadFile.path}?id=${fileId}`, { headers: { SessionId: token } })

const chunk = (type: string, data: Buffer) => {
  const size = Buffer.alloc(4)
  size.writeUInt32BE(data.length)
  return Buffer.concat([size, Buffer.from(type), data, Buffer.alloc(4)])
}
const header = Buffer.from([0, 0, 0, 2, 0, 0, 0, 1, 8, 2, 0, 0, 0])
const png = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  chunk('IHDR', header),
  chunk('IDAT', deflateSync(Buffer.from([0, 255, 0, 0, 0, 255, 0]))),
  chunk('IEND', Buffer.alloc(0)),
])
const log = Buffer.from('2026-01-31 08:00:00 till: drawer opened\n'.repeat(5_000))

describe('a file a device sends', () => {
  it('stands with the device’s part of the task and can be had by who may, until it expires', async () => {
    const command = await ask('UP-1', 'uploadLog', { type: 'log' })
    const sent = await put(command, log, { 'content-disposition': 'attachment; filename="till.log"' })
    const sha256 = createHash('sha256').update(log).digest('hex')
    expect(sent).toMatchObject({ status: 200, code: 100000, data: { bytes: log.length, sha256 } })
    const row = await deviceRow('UP-1')
    expect(row).toMatchObject({ fileName: 'till.log', fileSize: log.length })
    const got = await download(row?.fileId as number, await world.as('alder.operator'))
    expect(got.headers.get('content-type')).toBe('text/plain')
    expect(got.headers.get('content-disposition')).toContain('till.log')
    expect(await buffer(Readable.fromWeb(got.body as never))).toEqual(log)
    expect((await alder.get(`${exportFile.wire.path}/list`, { sn: 'UP-1' })).data).toMatchObject({
      exportFileLogs: [{ type: 'deviceLog', sn: 'UP-1', state: 'complete', size: log.length }],
    })
    await sql`update export_file set expire_time = now() - interval '1 minute'`.execute(world.db)
    expect(await takeExpired(world.db)).toHaveLength(1)
    expect(await deviceRow('UP-1')).toMatchObject({ fileId: null, fileName: null })
  })

  it('is answered as the address of a log to a program that asks for one and waits', async () => {
    await ask('UP-1', 'screenshot')
    const getting = (more: object = {}) => alder.post(getLog.path, { sn: 'UP-1', type: 'system', ...more })
    expect((await getting()).data).toMatchObject({ taskId: expect.any(String), fileUrl: null })
    await sql`update device_state set iot_status = 'online'`.execute(world.db)
    const answer = getting()
    const orders = () => sql`select from command where sn = 'UP-1' and command = 'uploadLog'`.execute(world.db)
    await expect.poll(async () => (await orders()).rows.length).toBe(2)
    await put(await asked('UP-1'), log)
    const { fileUrl } = (await answer).data
    const got = await fetch(`${address}${fileUrl}`, { headers: { SessionId: alder.token } })
    expect(await buffer(Readable.fromWeb(got.body as never))).toEqual(log)
    await sql`update device_state set iot_status = 'offline'`.execute(world.db)
    expect((await getting({ type: 'custom', path: '' })).code).toBe(100000)
    expect(await getting({ type: 'custom', path: 'a' })).toMatchObject({ code: 53036, data: { field: 'path' } })
    expect(await getting({ sn: '' })).toMatchObject({ code: 30101 })
    expect(await getting({ sn: 'A/B' })).toMatchObject({ code: 204010 })
    expect(await getting({ sn: 'UP-9' })).toMatchObject({ code: 30103 })
  })

  it('is another enterprise’s for everybody else, and nobody’s without the permission', async () => {
    const command = await ask('UP-1', 'screenshot')
    await put(command, png)
    const { fileId } = (await deviceRow('UP-1')) as Row<typeof taskDevice>
    const birch = await world.as('birch.admin')
    expect(await deviceRow('UP-1', birch)).toBeUndefined()
    expect(await (await download(fileId as number, birch)).json()).toMatchObject({ code: 205000 })
    const role = await addRole(world.db, { departmentId: world.a.id, permissions: ['deviceTask:list:detail'] })
    await addUser(world.db, { username: 'looker', departmentId: world.a.id, roleIds: [role] })
    expect(await (await download(fileId as number, await world.as('looker'))).json()).toMatchObject({ code: 100013 })
  })

  it('is called by its device, save for what could lead elsewhere, and a picture by what it is', async () => {
    const command = await ask('UP-1', 'screenshot')
    await put(command, png, { 'content-disposition': 'attachment; filename="../../etc/shadow.exe"' })
    const row = await deviceRow('UP-1')
    expect(row?.fileName).toBe('_.._etc_shadow.png')
    const got = await download(row?.fileId as number, await world.as('alder.operator'))
    expect(got.headers.get('content-type')).toBe('image/png')
  })

  it('is confirmed again to a device that did not hear it the first time, also when the command has ended', async () => {
    const command = await ask('UP-1', 'uploadLog', { type: 'log' })
    const first = await put(command, log)
    const before = { row: await deviceRow('UP-1'), files: await storedFiles() }
    expect(await put(command, log)).toEqual(first)
    expect(await put(command, Readable.from([log]))).toEqual(first)
    await sql`update command set state = 'done'`.execute(world.db)
    expect(await put(command, log)).toEqual(first)
    const { state, urgency } = before.row ?? {}
    expect({ row: { ...(await deviceRow('UP-1')), state, urgency }, files: await storedFiles() }).toEqual(before)
    expect((await alder.get(`${exportFile.wire.path}/list`, { sn: 'UP-1' })).data.total).toBe(1)
  })

  it('takes the place of one that hangs on a dead line, and nothing of that one stays', async () => {
    const command = await ask('UP-1', 'uploadLog', { type: 'log' })
    const hanging = new Readable({ read: () => undefined })
    hanging.push(log.subarray(0, 1_000))
    const before = await storedFiles()
    const first = put(command, hanging)
    // Its bytes lie in a file that has no name yet.
    await expect.poll(storedFiles).toBe(before + 1)
    expect(await put(command, log)).toMatchObject({ status: 200, data: { bytes: log.length } })
    hanging.push(null)
    expect(await first).toMatchObject({ status: 409, code: 93025 })
    expect(await storedFiles()).toBe(before + 1)
  })

  it('comes anew with a new try', async () => {
    const command = await ask('UP-1', 'screenshot')
    await put(command, png)
    await sql`update command set state = 'failed'`.execute(world.db)
    const { rows } = await sql<{ id: number }>`select id from device_task`.execute(world.db)
    expect(await alder.post('/api/v3/device/task/retry', { id: rows[0]?.id })).toMatchObject({ code: 100000 })
    expect(await deviceRow('UP-1')).toMatchObject({ fileId: null })
    expect(await put(command, png)).toMatchObject({ code: 93024 })
    expect(await put(await asked('UP-1'), png)).toMatchObject({ code: 100000 })
  })
})

describe('is refused and leaves nothing behind:', () => {
  const refused = async (send: () => Promise<{ status: number; code: number }>, status: number, code: number) => {
    const before = await storedFiles()
    expect(await send()).toMatchObject({ status, code })
    expect(await storedFiles()).toBe(before)
  }

  it('a wrong, an empty and a missing token', async () => {
    const command = await ask('UP-1', 'uploadLog', { type: 'log' })
    for (const token of [`${command.token.slice(0, -1)}x`, '', 'x'.repeat(10_000)])
      await refused(() => put({ ...command, token }, log), 403, 93024)
    const bare = fetch(`${address}${command.url}`, { method: 'PUT', body: 'log' })
    expect(await (await bare).json()).toMatchObject({ code: 93024 })
    expect(await deviceRow('UP-1')).toMatchObject({ fileId: null })
  })

  it('a second use with other bytes, also at the same moment', async () => {
    const command = await ask('UP-1', 'uploadLog', { type: 'log' })
    const answers = await Promise.all([1, 2, 3].map((at) => put(command, Buffer.from(`${at} drawer opened`))))
    expect(answers.map(({ code }) => code).sort()).toEqual([100000, 93025, 93025])
    await refused(() => put(command, log), 409, 93025)
    await refused(() => put(command, Buffer.alloc(0)), 409, 93025)
  })

  it('another device’s token, and one’s own for another command', async () => {
    const mine = await ask('UP-1', 'uploadLog', { type: 'log' })
    const theirs = await ask('UP-2', 'uploadLog', { type: 'log' })
    await refused(() => put({ url: theirs.url, token: mine.token }, log), 403, 93024)
    const next = await ask('UP-1', 'screenshot')
    await refused(() => put({ url: next.url, token: mine.token }, png), 403, 93024)
    await refused(
      () => put({ url: uploadCommandFile.path.replace(':id', '999999-1'), token: mine.token }, log),
      403,
      93024,
    )
    await refused(
      () => put({ url: uploadCommandFile.path.replace(':id', '1;drop'), token: mine.token }, log),
      403,
      93024,
    )
  })

  it('what comes after the command has ended or expired', async () => {
    const command = await ask('UP-1', 'uploadLog', { type: 'log' })
    await sql`update command set expires = now() - interval '1 second'`.execute(world.db)
    await refused(() => put(command, log), 409, 93025)
    await sql`update command set expires = now() + interval '1 hour', state = 'done'`.execute(world.db)
    await refused(() => put(command, log), 409, 93025)
  })

  it('what is too large, told or not', async () => {
    const command = await ask('UP-1', 'screenshot')
    const large = Buffer.alloc(10 * 1024 * 1024 + 1)
    png.copy(large)
    await refused(() => put(command, large), 413, 53034)
    await refused(
      () => put(command, Readable.from([large.subarray(0, 6_000_000), large.subarray(6_000_000)])),
      413,
      53034,
    )
    expect(await put(command, png)).toMatchObject({ code: 100000 })
  })

  it('what is no picture although a screenshot was asked for', async () => {
    const command = await ask('UP-1', 'screenshot')
    // A few bytes that claim to be four thousand million points would take a browser's memory.
    const claims = [log, Buffer.from('<svg onload="alert(1)"/>'), png.subarray(0, 12), Buffer.alloc(0)]
    for (const body of [...claims, pngOf(65_535, 65_535)])
      await refused(() => put(command, body, { 'content-type': 'image/png' }), 400, 93031)
    expect(await put(command, png)).toMatchObject({ code: 100000 })
  })

  it('a command that asked for no file', async () => {
    const command = await ask('UP-1', 'reboot')
    await refused(() => put({ url: `/device/v1/upload/${command.id}-1`, token: 'x'.repeat(43) }, log), 403, 93024)
  })
})
