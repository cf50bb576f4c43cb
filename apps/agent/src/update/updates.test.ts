import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Manifest } from '@campanile/manifest'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { thisMachine } from '../hardware/linux/machine.ts'
import { type Platform, startPlatform } from '../test/platform.ts'
import type { UpdateContext } from './context.ts'
import { newFolder } from './test/folder.ts'
import { makeArchive, offer } from './test/release.ts'
import { createUpdates } from './updates.ts'

let folder: string
let platform: Platform
beforeEach(async () => {
  folder = await newFolder('updates')
  platform = await startPlatform()
  await mkdir(join(folder, 'state'))
})
afterEach(async () => {
  await platform.close()
  await rm(folder, { recursive: true })
})

const app = () => join(folder, 'till')
const firmware = () => join(folder, 'firmware')
const started = () => join(folder, 'started')
/** Whatever is in use says which version it is, and is asked whether it is well. */
const serviceIn = (place: string) => ({
  folder: place,
  restart: ['sh', '-c', `[ -e ${place}/current ] && sh ${place}/current/run.sh >> ${started()}; true`],
  health: ['sh', `${place}/current/run.sh`],
  healthSeconds: 1,
})
const machine = async (values = {}) => {
  const config = {
    model: 'Bench',
    apps: { till: { ...serviceIn(app()), data: join(folder, 'data') }, plain: { restart: ['true'] } },
    firmware: { ...serviceIn(firmware()), version: '1.0' },
    filesFolder: join(folder, 'files'),
  }
  await writeFile(join(folder, 'state', 'config.json'), JSON.stringify(config))
  return createUpdates({
    stateFolder: join(folder, 'state'),
    config: await readConfig(join(folder, 'state')),
    machine: thisMachine,
    boot: 'first',
    model: async () => 'Bench',
    values: async () => values,
    software: { uninstall: async (name) => ({ removed: name }), setEnabled: async (name) => ({ set: name }) },
    log: () => {},
  })
}
let told: string[] = []
const asked = (id = '1'): UpdateContext => {
  told = []
  return {
    id,
    serverUrl: platform.serverUrl,
    expires: Date.now() + 60_000,
    now: Date.now,
    releaseKey: async () => platform.releaseKey,
    tell: (step, percent) => told.push(`${step} ${percent}`),
  }
}
const version = (place: string) => execFileSync('sh', [join(place, 'current', 'run.sh')], { encoding: 'utf8' }).trim()
const appOf = async (number: string, isWell = true) =>
  offer(platform, await makeArchive(folder, number, isWell, 1000), { kind: 'app', version: number })
const firmwareOf = async (number: string, promise: Partial<Manifest> = {}, isWell = true) =>
  offer(platform, await makeArchive(folder, number, isWell, 1000), { kind: 'firmware', version: number, ...promise })
const install = { package: 'till', action: 'install' } as const

describe('an app', () => {
  it('is installed beside the version before, which is kept, and told step by step', async () => {
    const updates = await machine()
    for (const number of ['1.0', '1.1', '1.2'])
      await updates.installApp({ ...install, ...(await appOf(number)) }, asked())
    expect(version(app())).toBe('1.2')
    expect(await updates.versionOf('till')).toBe('1.2')
    expect((await readdir(join(app(), 'versions'))).map((name) => name.slice(0, 3)).sort()).toEqual(['1.1', '1.2'])
    expect(await readFile(started(), 'utf8')).toBe('1.0\n1.1\n1.2\n')
    expect([told[0], told.at(-1)]).toEqual(['downloading 0', 'upgrading 90'])
    expect(await readdir(join(folder, 'state', 'downloads'))).toEqual([])
  })

  it('that is not well goes back to the version before, or to none', async () => {
    const updates = await machine()
    const bad = { ...install, ...(await appOf('2.0', false)) }
    await expect(updates.installApp(bad, asked())).rejects.toThrow('notHealthy')
    expect(await updates.versionOf('till')).toBeUndefined()
    await updates.installApp({ ...install, ...(await appOf('1.0')) }, asked())
    await expect(updates.installApp(bad, asked('bad'))).rejects.toThrow('notHealthy')
    expect(version(app())).toBe('1.0')
    expect((await readFile(started(), 'utf8')).trim().split('\n').at(-1)).toBe('1.0')
    expect(await updates.ended('bad')).toEqual({ error: expect.stringMatching(/^notHealthy: /) })
  })

  it('may be a package of Debian, a zip, or any file', async () => {
    const updates = await machine()
    await makeArchive(folder, '3.0', true, 10)
    const made = join(folder, 'made')
    execFileSync('zip', ['-qr', join(folder, 'a.zip'), '.'], { cwd: made })
    const zip = offer(platform, await readFile(join(folder, 'a.zip')), { kind: 'app', version: '3.0' })
    await updates.installApp({ ...install, ...zip }, asked())
    expect(version(app())).toBe('3.0')
    await mkdir(join(made, 'DEBIAN'))
    const about = 'Package: till\nVersion: 3.1\nArchitecture: all\nMaintainer: a <a@example.org>\nDescription: a till\n'
    await writeFile(join(made, 'DEBIAN', 'control'), about)
    execFileSync('dpkg-deb', ['--build', '--root-owner-group', made, join(folder, 'a.deb')], { stdio: 'ignore' })
    const deb = offer(platform, await readFile(join(folder, 'a.deb')), { kind: 'app', version: '3.1' })
    await updates.installApp({ ...install, ...deb }, asked())
    expect(version(app())).toBe('3.0')
    expect(await updates.versionOf('till')).toBe('3.1')
    const plain = offer(platform, Buffer.from('echo 4.0'), { kind: 'app', version: '4.0' })
    await updates.installApp({ ...install, ...plain, file: { ...plain.file, name: 'run.sh' } }, asked())
    expect(version(app())).toBe('4.0')
  })

  it('is only fetched where that is all that is wanted', async () => {
    const updates = await machine()
    const args = { ...install, ...(await appOf('1.0')), installMode: 'downloadOnly' } as const
    await updates.installApp(args, asked())
    expect(await updates.versionOf('till')).toBeUndefined()
    platform.downloads.clear()
    await updates.installApp({ ...args, installMode: 'silent' }, asked())
    expect(version(app())).toBe('1.0')
  })

  it('is removed, and its data cleared; of others the system is asked', async () => {
    const updates = await machine()
    await updates.installApp({ ...install, ...(await appOf('1.0')) }, asked())
    await mkdir(join(folder, 'data', 'deep'), { recursive: true })
    await updates.installApp({ package: 'till', action: 'clearData' }, asked())
    expect(await readdir(join(folder, 'data'))).toEqual([])
    expect(version(app())).toBe('1.0')
    await updates.installApp({ package: 'till', action: 'uninstall' }, asked())
    expect(await readdir(app())).toEqual([])
    await expect(updates.installApp({ package: 'till', action: 'uninstall' }, asked())).rejects.toThrow('notInstalled')
    expect(await updates.installApp({ package: 'plain', action: 'uninstall' }, asked())).toEqual({ removed: 'plain' })
    expect(await updates.installApp({ package: 'plain', action: 'disable' }, asked())).toEqual({ set: 'plain' })
  })

  it('waits for power and the right network', async () => {
    const updates = await machine({ battery: 20, networkType: '4G' })
    const args = { ...install, ...(await appOf('1.0')) }
    await expect(updates.installApp({ ...args, minBattery: 50 }, asked())).rejects.toThrow('lowBattery: 20 %')
    await expect(updates.installApp({ ...args, wifiOnly: true }, asked())).rejects.toThrow('wrongNetwork: 4G')
    await updates.installApp({ ...args, minBattery: 20 }, asked())
  })
})

describe('firmware', () => {
  it('fills the slot that does not run, and the one before stays for a way back', async () => {
    const updates = await machine()
    expect(await updates.firmwareVersion()).toBe('1.0')
    await updates.upgradeFirmware(await firmwareOf('2.0'), asked())
    await updates.upgradeFirmware(await firmwareOf('2.10'), asked())
    expect(version(firmware())).toBe('2.10')
    expect(await updates.firmwareVersion()).toBe('2.10')
    await expect(updates.upgradeFirmware(await firmwareOf('3.0', {}, false), asked())).rejects.toThrow('notHealthy')
    expect(version(firmware())).toBe('2.10')
    expect(await updates.firmwareVersion()).toBe('2.10')
  })

  it('of a differential package holds what it did not change, and starts from one version only', async () => {
    const updates = await machine()
    await updates.upgradeFirmware(await firmwareOf('2.0'), asked())
    await writeFile(join(firmware(), 'current', 'kept'), 'as it was')
    const other = await firmwareOf('2.2', { base: '2.1' })
    await expect(updates.upgradeFirmware(other, asked())).rejects.toThrow(
      'baseDiffers: it starts from 2.1, this is 2.0',
    )
    await updates.upgradeFirmware(await firmwareOf('2.1', { base: '2.0' }), asked())
    expect(version(firmware())).toBe('2.1')
    expect(await readFile(join(firmware(), 'current', 'kept'), 'utf8')).toBe('as it was')
  })

  it('goes back only where that is asked for', async () => {
    const updates = await machine()
    await updates.upgradeFirmware(await firmwareOf('2.0'), asked())
    const older = await firmwareOf('1.9')
    await expect(updates.upgradeFirmware(older, asked())).rejects.toThrow('olderVersion: 2.0 is in use')
    // The same version with other content is not newer.
    await expect(updates.upgradeFirmware(await firmwareOf('2.0'), asked())).rejects.toThrow('olderVersion')
    await updates.upgradeFirmware({ ...older, downgrade: true }, asked())
    expect(version(firmware())).toBe('1.9')
  })

  it('is taken by its signature alone, and nothing is fetched or touched before that', async () => {
    const updates = await machine()
    await updates.upgradeFirmware(await firmwareOf('2.0'), asked())
    const right = await firmwareOf('2.1')
    const other = await firmwareOf('2.2')
    const stranger = await startPlatform()
    const cases = [
      [
        { ...right, manifest: offer(stranger, Buffer.from('x'), { kind: 'firmware', version: '2.1' }).manifest },
        'signatureDiffers',
      ],
      [{ ...right, manifest: 'abc.def' }, 'manifestInvalid: malformed'],
      [await firmwareOf('2.1', { models: ['Other'] }), 'modelDiffers'],
      [await firmwareOf('2.1', { expires: 1 }), 'manifestExpired'],
      [{ ...right, manifest: (await appOf('2.1')).manifest }, 'manifestInvalid: kindDiffers'],
      [{ ...right, version: '2.2' }, 'manifestInvalid: it is for version 2.1'],
      [{ ...right, file: other.file }, /^(size|digest)Differs/],
      [{ ...right, file: { ...right.file, size: right.file.size + 1 } }, 'sizeDiffers'],
    ] as const
    await stranger.close()
    for (const [args, reason] of cases) {
      await expect(updates.upgradeFirmware(args, asked())).rejects.toThrow(reason)
      expect(told).toEqual([])
    }
    expect(version(firmware())).toBe('2.0')
    expect((await readdir(firmware())).sort()).toEqual(['a', 'a.json', 'current'])
  })

  it('whose bytes are not those of the manifest is never unpacked', async () => {
    const updates = await machine()
    const args = await firmwareOf('2.0')
    const [path = ''] = platform.downloads.keys()
    platform.downloads.set(path, Buffer.alloc(args.file.size))
    await expect(updates.upgradeFirmware(args, asked())).rejects.toThrow('digestDiffers')
    expect(await readdir(folder)).not.toContain('firmware')
  })
})

describe('a file', () => {
  it('is put below the owner’s folder, in the place of what lay there', async () => {
    const updates = await machine()
    const { file } = offer(platform, Buffer.from('one'), { kind: 'app', version: '1' })
    const { file: next } = offer(platform, Buffer.from('two'), { kind: 'app', version: '1' })
    await updates.putFile({ file, path: '/menus/today/', name: 'menu.txt' }, asked())
    await updates.putFile({ file: next, path: '/menus/today/', name: 'menu.txt' }, asked())
    expect(await readFile(join(folder, 'files', 'menus', 'today', 'menu.txt'), 'utf8')).toBe('two')
    await updates.putFile({ file, name: 'menu.txt' }, asked())
    expect(await readdir(join(folder, 'files'))).toEqual(['menu.txt', 'menus'])
  })

  it('does not leave it by a link that lies there', async () => {
    const updates = await machine()
    await mkdir(join(folder, 'files'))
    await symlink(folder, join(folder, 'files', 'out'))
    const { file } = offer(platform, Buffer.from('one'), { kind: 'app', version: '1' })
    await expect(updates.putFile({ file, path: '/out/', name: 'x' }, asked())).rejects.toThrow('leads out')
    await expect(updates.putFile({ file, path: '/out/deeper/', name: 'x' }, asked())).rejects.toThrow('leads out')
    expect(await readdir(folder)).not.toEqual(expect.arrayContaining(['x', 'deeper']))
  })

  it('is told step by step, not on a network that was not meant, and leaves nothing half', async () => {
    const updates = await machine({ networkType: '4g' })
    const { file } = offer(platform, Buffer.from('one'), { kind: 'app', version: '1' })
    await updates.putFile({ file, path: '/', name: '价 目.txt' }, asked())
    expect(told.map((step) => step.split(' ')[0])).toEqual(expect.arrayContaining(['downloading', 'upgrading']))
    await expect(updates.putFile({ file, name: 'x', wifiOnly: true }, asked())).rejects.toThrow('wrongNetwork')
    await mkdir(join(folder, 'files', 'taken'))
    await expect(updates.putFile({ file, name: 'taken' }, asked())).rejects.toThrow('installFailed')
    const other = { ...file, sha256: '0'.repeat(64) }
    await expect(updates.putFile({ file: other, name: 'y' }, asked())).rejects.toThrow('digestDiffers')
    expect((await readdir(join(folder, 'files'))).filter((name) => ['x', 'y'].includes(name))).toEqual([])
  })
})
