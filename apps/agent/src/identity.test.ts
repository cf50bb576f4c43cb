import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createIdentityStore } from './identity.ts'

let folder: string
const file = () => join(folder, 'identity.json')
const load = () => createIdentityStore(folder).load()
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'identity-'))
  await createIdentityStore(folder).save({ sn: 'A', serverUrl: 's', username: 'A', password: 'p', mqttUrl: 'm' })
})
afterEach(() => rm(folder, { recursive: true }))

it('names the file and what to do when it is damaged', async () => {
  const good = await readFile(file(), 'utf8')
  await writeFile(file(), good.slice(0, 40))
  await expect(load()).rejects.toThrow(`${file()} is damaged`)
  await expect(load()).rejects.toThrow(/join anew: make an activation code .* run join with --force/)
  await writeFile(file(), '{"sn":"A"}')
  await expect(load()).rejects.toThrow(/is damaged \(.*serverUrl/)
  await writeFile(file(), good)
  expect(await load()).toMatchObject({ sn: 'A' })
})

it.each([0o640, 0o604, 0o666])(
  'refuses one that others may open, with the command that closes it (mode %o)',
  async (mode) => {
    await chmod(file(), mode)
    await expect(load()).rejects.toThrow(`chmod 600 '${file()}'`)
    await chmod(file(), 0o400)
    expect(await load()).toMatchObject({ sn: 'A' })
  },
)

it('has none where nobody has joined', async () => {
  await rm(file())
  expect(await load()).toBeUndefined()
})
