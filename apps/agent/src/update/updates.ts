import { rm } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { type CommandArgs, compareVersions } from '@campanile/contract'
import type { StateValues } from '@campanile/contract/protocol'
import type { AppConfig, Config } from '../config.ts'
import type { Machine } from '../hardware/linux/machine.ts'
import type { Result, UpdateEnd } from '../hardware/port.ts'
import { needConditions } from './conditions.ts'
import { downloadedPercent, type UpdateContext } from './context.ts'
import { UpdateFailed } from './fault.ts'
import { type FileToFetch, fetchFile, sweepFetched } from './fetch.ts'
import { putInPlace } from './put-file.ts'
import { createFolderSlots } from './slots.ts'
import { createTrials } from './trial.ts'
import { type Promised, trust } from './trust.ts'
import { createVersions } from './versions.ts'

export interface UpdateParts {
  readonly stateFolder: string
  readonly config: Config
  readonly machine: Machine
  readonly boot: string
  readonly model: () => Promise<string>
  readonly values: () => Promise<StateValues>
  /** Of apps whose versions are not looked after here. */
  readonly software: {
    uninstall(app: string): Promise<Result>
    setEnabled(app: string, enabled: boolean): Promise<Result>
  }
  readonly log: (line: string) => void
}

const firmwareName = 'firmware'
const hasFolder = (app: AppConfig | undefined): app is AppConfig & { folder: string } => app?.folder !== undefined

/** Apps, firmware and files that the platform brings onto this machine, one after another. */
export const createUpdates = (parts: UpdateParts) => {
  const { stateFolder, config, machine, software } = parts
  const downloads = join(stateFolder, 'downloads')
  const trials = createTrials(join(stateFolder, 'updates'), parts.boot, parts.log)
  const slots = config.firmware && createFolderSlots(machine, config.firmware)
  const apps = new Map(
    Object.entries(config.apps).flatMap(([name, app]) =>
      hasFolder(app) ? [[name, createVersions(machine, trials, name, app)] as const] : [],
    ),
  )

  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(what: () => Promise<T>): Promise<T> => {
    const turn = last.then(what)
    last = turn.catch(() => undefined)
    return turn
  }

  const fetchTold = (file: FileToFetch, update: UpdateContext, bytesPerSecond?: number, room = 0) => {
    update.tell('downloading', 0)
    return fetchFile(file, {
      folder: downloads,
      serverUrl: update.serverUrl,
      room,
      bytesPerSecond,
      isWanted: () => update.now() < update.expires,
      told: (share) => update.tell('downloading', Math.floor(share * downloadedPercent)),
    })
  }
  const verify = async (promised: Promised, update: UpdateContext) =>
    trust(await update.releaseKey(), promised, await parts.model(), update.now())

  const install = async (args: CommandArgs<'installApp'>, update: UpdateContext): Promise<Result> => {
    const { package: name, version, file, manifest, installMode } = args
    const app = apps.get(name)
    if (!app) throw new UpdateFailed('installFailed', `no folder is configured for ${name} (apps in config.json)`)
    if (!version || !file || !manifest)
      throw new UpdateFailed('manifestInvalid', 'version, file and manifest are needed')
    await verify({ kind: 'app', version, manifest, file }, update)
    if (await app.isInUse(version, file.sha256)) return { package: name, version }
    needConditions(await parts.values(), args)
    const path = await fetchTold(file, update, args.bytesPerSecond, 2 * file.size)
    if (installMode === 'downloadOnly') return { package: name, version, downloaded: true }
    update.tell('upgrading', downloadedPercent)
    await app.install({ id: update.id, version, sha256: file.sha256, path, name: file.name })
    await rm(path, { force: true })
    return { package: name, version }
  }

  const changeApp = async (args: CommandArgs<'installApp'>, update: UpdateContext): Promise<Result> => {
    const { package: name, action } = args
    if (action === 'install') return install(args, update)
    const app = apps.get(name)
    update.tell('upgrading', downloadedPercent)
    if (action === 'enable' || action === 'disable') return software.setEnabled(name, action === 'enable')
    if (action === 'uninstall') {
      if (!app) return software.uninstall(name)
      await app.uninstall()
    } else {
      if (!app) throw new UpdateFailed('notInstalled', name)
      await app.clearData()
    }
    return { package: name }
  }

  const upgrade = async (args: CommandArgs<'upgradeFirmware'>, update: UpdateContext): Promise<Result> => {
    if (!slots) throw new UpdateFailed('installFailed', 'firmware is not configured (config.json)')
    const { version, file, downgrade } = args
    const { base } = await verify({ ...args, kind: 'firmware' }, update)
    const { note: running } = await slots.running()
    const present = running?.version ?? config.firmware?.version
    if (running?.version === version && running.sha256 === file.sha256) return { version }
    if (base !== undefined && base !== present)
      throw new UpdateFailed('baseDiffers', `it starts from ${base}, this is ${present ?? 'not known'}`)
    const order = present === undefined ? 1 : (compareVersions(version, present) ?? 0)
    if (order <= 0 && !downgrade) throw new UpdateFailed('olderVersion', `${present} is in use`)
    needConditions(await parts.values(), args)
    const path = await fetchTold(file, update, args.bytesPerSecond, 2 * file.size)
    update.tell('upgrading', downloadedPercent)
    const { slot: from } = await slots.running()
    const isDifferential = base !== undefined
    const to = await slots.write({ version, sha256: file.sha256, path, name: file.name, isDifferential })
    await trials.change(firmwareName, slots.place, { id: update.id, to, ...(from && { from }) })
    await rm(path, { force: true })
    return { version }
  }

  const put = async (args: CommandArgs<'putFile'>, update: UpdateContext): Promise<Result> => {
    const { file, path: folder = '', name } = args
    if (!config.filesFolder) throw new UpdateFailed('installFailed', 'filesFolder is not configured (config.json)')
    needConditions(await parts.values(), args)
    const path = await fetchTold(file, update, args.bytesPerSecond, file.size)
    update.tell('upgrading', downloadedPercent)
    const target = await putInPlace(path, config.filesFolder, folder, name)
    await rm(path, { force: true })
    return { path: target, bytes: file.size }
  }

  /** A picture for whatever shows posters here, by the number of its poster. */
  const keepPoster = async (poster: CommandArgs<'showPoster'>, update: UpdateContext): Promise<string> => {
    const { posterId, file } = poster
    needConditions(await parts.values(), poster)
    const path = await fetchTold(file, update, poster.bytesPerSecond, file.size)
    update.tell('upgrading', downloadedPercent)
    const target = await putInPlace(path, join(stateFolder, 'posters'), '', `${posterId}${extname(file.name)}`)
    await rm(path, { force: true })
    return target
  }

  return {
    obstacles: {
      installApp: () => (apps.size > 0 ? undefined : 'no app with a folder is configured (apps in config.json)'),
      upgradeFirmware: () => (slots ? undefined : 'firmware is not configured (config.json)'),
      putFile: () => (config.filesFolder ? undefined : 'filesFolder is not configured (config.json)'),
    },
    installApp: (args: CommandArgs<'installApp'>, update: UpdateContext) => inTurn(() => changeApp(args, update)),
    upgradeFirmware: (args: CommandArgs<'upgradeFirmware'>, update: UpdateContext) =>
      inTurn(() => upgrade(args, update)),
    putFile: (args: CommandArgs<'putFile'>, update: UpdateContext) => inTurn(() => put(args, update)),
    keepPoster: (poster: CommandArgs<'showPoster'>, update: UpdateContext) => inTurn(() => keepPoster(poster, update)),

    versionOf: async (name: string) => apps.get(name)?.version(),
    firmwareVersion: async () => (await slots?.running())?.note?.version ?? config.firmware?.version,

    /** At the start: whatever was half done is brought to its end or taken back, before anything else happens. */
    recover: () =>
      inTurn(async () => {
        await sweepFetched(downloads)
        await trials.recover((name) =>
          name === firmwareName ? slots?.place : [...apps.values()].find((app) => app.name === name)?.place,
        )
      }),
    ended: async (id: string): Promise<UpdateEnd | undefined> => {
      const trial = await trials.ended(id)
      if (!trial) return undefined
      return trial.phase === 'confirmed' ? { result: {} } : { error: trial.reason ?? 'installFailed' }
    },
  }
}
