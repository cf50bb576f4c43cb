import { existsSync } from 'node:fs'
import { mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { announcement, exportFile, uploadLogo, uploadPhoto } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { toAppError } from '../kit/answer.ts'
import { type Person, startInstallation, type World } from '../test/world.ts'

let world: Omit<World, 'a' | 'b'>
let admin: Person
beforeAll(async () => {
  world = await startInstallation()
  admin = await world.as('admin')
})
afterAll(() => world.stop())
afterEach(() => vi.restoreAllMocks())

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const full = () => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
const stored = async () => {
  const folder = join(world.app.services.config.dataDir, 'files')
  return (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => !entry.isDirectory())
}

/** What failed is tried again after a pause that grows; here it is over at once. */
const endPauses = async () => {
  await sql`update job set run_after = now() where state = 'queued'`.execute(world.db)
  await sql`select pg_notify('campanile_job', '')`.execute(world.db)
}

const send = async (path: string) => {
  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
  const { statusCode, body } = await world.app.inject({
    method: 'POST',
    url: path,
    headers: { sessionid: admin.token, 'content-type': 'multipart/form-data; boundary=b', 'accept-language': 'en' },
    payload: Buffer.concat([Buffer.from(head), png, Buffer.from('\r\n--b--')]),
  })
  return { status: statusCode, ...(JSON.parse(body) as { code: number; message: string }) }
}

describe('while the disk is full', () => {
  it.each([uploadLogo.path, uploadPhoto.path])(
    'a file sent to %s is refused as such and taken when there is space',
    async (path) => {
      const before = (await stored()).length
      vi.spyOn(world.app.services.files, 'put').mockRejectedValueOnce(full())
      expect(await send(path)).toMatchObject({
        status: 503,
        code: 53037,
        message: expect.stringContaining('no space left'),
      })
      expect(await stored()).toHaveLength(before)
      expect(await send(path)).toMatchObject({ status: 200, code: 100000 })
    },
  )

  it('a change that the database has no room for is refused as such', () => {
    expect(toAppError(Object.assign(new Error('could not extend file'), { code: '53100' }))).toMatchObject({
      code: 53037,
      status: 503,
    })
  })

  // Writing there fails as it does on a full disk: the kernel says so, not the test.
  it.runIf(existsSync('/dev/full'))(
    'an export is tried again and becomes one whole file when there is space',
    async () => {
      const { files, config } = world.app.services
      const key = files.newKey()
      const folder = join(config.dataDir, 'files', key.slice(0, 2))
      await mkdir(folder, { recursive: true })
      await symlink('/dev/full', join(folder, `${key}.part`))
      vi.spyOn(files, 'newKey').mockReturnValueOnce(key)
      const { data } = await admin.post(`${announcement.wire.path}/export`)
      const failed = sql<{ error: string | null }>`select error from job where kind = 'export' order by id desc limit 1`
      await expect
        .poll(async () => (await failed.execute(world.db)).rows[0]?.error, { timeout: 30_000 })
        .toContain('ENOSPC')
      expect((await stored()).filter(({ name }) => name.startsWith(key))).toEqual([])
      const row = async () =>
        ((await admin.get(`${exportFile.wire.path}/list`)).data.exportFileLogs as { id: number; state: string }[]).find(
          ({ id }) => id === data.fileId,
        )
      await endPauses()
      await expect.poll(async () => (await row())?.state, { timeout: 60_000 }).toBe('complete')
    },
  )

  it('an export that finds no space at all says so to its maker', async () => {
    vi.spyOn(world.app.services.files, 'put').mockImplementation(async (content) => {
      content.destroy()
      throw full()
    })
    const { data } = await admin.post(`${announcement.wire.path}/export`)
    const row = async () =>
      (
        (await admin.get(`${exportFile.wire.path}/list`)).data.exportFileLogs as {
          id: number
          state: string
          description: string
        }[]
      ).find(({ id }) => id === data.fileId)
    const afterTry = () => endPauses().then(row)
    await expect.poll(async () => (await afterTry())?.state, { timeout: 60_000 }).toBe('abnormal')
    expect((await row())?.description).toContain('no space left')
  })
})
