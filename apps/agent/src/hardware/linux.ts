import { randomBytes, scryptSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { arch, hostname, release } from 'node:os'
import { join } from 'node:path'
import type { CommandArgs, CommandName } from '@campanile/contract'
import { type StateValues, state } from '@campanile/contract/protocol'
import { isOwn } from '../commands/index.ts'
import type { Allowed, Config } from '../config.ts'
import { writePrivate } from '../identity.ts'
import { createUpdates } from '../update/updates.ts'
import { createAppTraffic } from './linux/app-traffic.ts'
import { workFolderOf } from './linux/files.ts'
import { collectLog } from './linux/logs.ts'
import { type Machine, thisMachine } from './linux/machine.ts'
import { powerObstacle, schedulePower } from './linux/power.ts'
import { captureScreen, screenObstacle } from './linux/screen.ts'
import { createSessions } from './linux/session.ts'
import { createAppliers, createConfigure, createKept } from './linux/settings.ts'
import { createSoftware } from './linux/software.ts'
import { createTemplates } from './linux/template.ts'
import { addresses, createValues } from './linux/values.ts'
import type { Hardware, Result } from './port.ts'

const goingDownMs = 5 * 60_000
/** Values are asked for all the time: a program that hangs must not hold them up. */
const valuesMs = 5_000

export interface LinuxParts {
  readonly stateFolder: string
  readonly config: Config
  readonly allowed: Allowed
  readonly version: string
  readonly log: (line: string) => void
  readonly machine?: Machine
}

/** The machine the agent runs on. */
export const createLinux = (parts: LinuxParts): Hardware => {
  const { stateFolder, config, allowed, version, machine = thisMachine } = parts
  const software = createSoftware(machine, config, allowed)
  const sessions = createSessions(machine, config.display)
  const kept = createKept(stateFolder)
  const appliers = createAppliers(machine)
  const configure = createConfigure(machine, kept, appliers)
  const templates = createTemplates({ machine, program: config.templateCommand, kept, appliers })
  const values = createValues()
  const appTraffic = createAppTraffic(machine, config)
  const boot = bootId()

  const configured = (what: string, command: readonly string[] | undefined) =>
    command ? undefined : `${what} is not configured (config.json)`
  /** The owner's own program gets what was asked as JSON. */
  const hand = async (command: readonly string[] | undefined, input: unknown): Promise<Result> => {
    const [program = '', ...args] = command ?? []
    const output = await machine.run(program, args, { input: JSON.stringify(input) })
    return output.trim() ? { output: output.trim().slice(0, 4096) } : {}
  }
  /** What the owner's program says; nothing while it fails or says what no server would take. */
  const ownValues = async (): Promise<StateValues> => {
    if (!config.valuesCommand) return {}
    const [program = '', ...args] = config.valuesCommand
    try {
      const { ts: _ts, ...told } = state.parse(JSON.parse(await machine.run(program, args, { timeoutMs: valuesMs })))
      return told
    } catch {
      return {}
    }
  }
  const model = async () => config.model ?? (await boardName()) ?? hostname()
  const updates = createUpdates({
    stateFolder,
    config,
    machine,
    boot,
    model,
    values: async () => ({ ...(await values()), ...(await ownValues()) }),
    software,
    log: parts.log,
  })
  /** The owner's apps, with the versions that are looked after here. */
  const withVersions = async (apps: Awaited<ReturnType<typeof software.apps>>) => {
    const told: typeof apps = []
    for (const app of apps) {
      const installed = await updates.versionOf(app.package)
      told.push({ ...app, ...(installed && { version: installed }) })
    }
    return told
  }
  const rootOrSystemd = () => {
    if (!machine.hasSystemd) return 'this machine does not run systemd'
    return machine.isRoot ? undefined : 'the agent does not run as root'
  }

  const obstacles: Partial<Record<CommandName, () => string | undefined>> = {
    restartApp: software.restartObstacle,
    reboot: rootOrSystemd,
    powerSchedule: () => powerObstacle(machine),
    uploadLog: () => (machine.has('tar') ? undefined : 'tar is not installed'),
    screenshot: () => screenObstacle(machine),
    message: sessions.messageObstacle,
    lock: sessions.lockObstacle,
    unlock: sessions.lockObstacle,
    screenLockPassword: () => configured('screenLockCommand', config.screenLockCommand),
    devicePassword: () => {
      if (!allowed.password) return 'the agent was started without --allow-password'
      if (!config.account) return 'account is not configured (config.json)'
      return machine.isRoot ? undefined : 'the agent does not run as root'
    },
    whitelist: () => configured('whitelistCommand', config.whitelistCommand),
    wipe: () => (allowed.wipe ? undefined : 'the agent was started without --allow-wipe'),
    kioskOn: () => configured('kiosk', config.kiosk?.start),
    kioskOff: () => configured('kiosk', config.kiosk?.stop),
    listSoftware: software.listObstacle,
    enableSoftware: software.enableObstacle,
    uninstall: software.uninstallObstacle,
    ...updates.obstacles,
    showPoster: () => configured('commands.showPoster', config.commands.showPoster),
    custom: () => configured('customCommand', config.customCommand),
  }

  return {
    boot: () => boot,
    describe: async () => ({
      model: await model(),
      type: config.type,
      firmware: (await updates.firmwareVersion()) ?? `${release()} ${arch()}`.slice(0, 128),
      system: await systemName(),
      agent: version,
      addresses: addresses(),
      apps: await withVersions(await software.apps()),
    }),
    measure: async () => {
      const { locked, kiosk } = await kept.load()
      return {
        events: [...(await appTraffic(Date.now())), ...(await templates.look(Date.now()))],
        values: {
          ...(await values()),
          ...(await ownValues()),
          ...(locked === undefined ? {} : { locked }),
          ...(kiosk === undefined ? {} : { kiosk }),
        },
      }
    },
    obstacle: async (name) =>
      isOwn(name) ? obstacles[name]?.() : configured(`commands.${name}`, config.commands[name]),

    restartApp: software.restart,
    reboot: async () => {
      await machine.run('systemctl', ['reboot'])
      await new Promise((resolve) => setTimeout(resolve, goingDownMs))
    },
    schedulePower,
    collectLog: (log) => collectLog({ machine, config, stateFolder }, log),
    capture: () => captureScreen(machine, config.display, workFolderOf(stateFolder)),
    show: sessions.show,
    lock: async (locked) => {
      const result = await sessions.lock(locked)
      await kept.change({ locked })
      return result
    },
    setScreenLock: (pin) => hand(config.screenLockCommand, { pin }),
    setPassword: async (password) => {
      if (/[\r\n]/.test(password)) throw new Error('a password cannot hold a line break')
      await machine.run('chpasswd', [], { input: `${config.account}:${password}\n` })
      return { account: config.account }
    },
    allowOnly: (packages) => hand(config.whitelistCommand, { packages }),
    wipe: async () => {
      for (const folder of config.wipe) await rm(folder, { recursive: true, force: true })
      return { removed: config.wipe }
    },
    configure,
    applyTemplate: templates.apply,
    undoTemplate: templates.undo,
    kiosk: async (profile) => {
      const file = join(stateFolder, 'kiosk.json')
      if (profile) await writePrivate(file, `${JSON.stringify(await sealed(profile, file), null, 2)}\n`)
      const [program = '', ...args] = (profile ? config.kiosk?.start : config.kiosk?.stop) ?? []
      await machine.run(program, args, { env: { CAMPANILE_KIOSK: join(stateFolder, 'kiosk.json') } })
      if (!profile) await rm(join(stateFolder, 'kiosk.json'), { force: true })
      await kept.change({ kiosk: profile !== undefined })
      return profile ? { mode: profile.mode, packages: profile.packages } : {}
    },
    software: async () => withVersions(await software.list()),
    setEnabled: software.setEnabled,
    uninstall: software.uninstall,
    installApp: updates.installApp,
    upgradeFirmware: updates.upgradeFirmware,
    putFile: updates.putFile,
    showPoster: async (poster, update) => {
      const path = await updates.keepPoster(poster, update)
      return { ...(await hand(config.commands.showPoster, { ...poster, path })), path }
    },
    recoverUpdates: updates.recover,
    updateEnded: updates.ended,
    custom: (payload) => hand(config.customCommand, payload),
    perform: (name, args) => hand(config.commands[name], args),
  }
}

/** Who leaves the kiosk types the password; nobody needs to read it. */
const sealed = async ({ exitPassword, ...profile }: CommandArgs<'kioskOn'>, file: string) => {
  if (exitPassword === undefined) return { ...profile, exit: await presentExit(file) }
  const salt = randomBytes(16)
  return {
    ...profile,
    exit: { salt: salt.toString('hex'), scrypt: scryptSync(exitPassword, salt, 32).toString('hex') },
  }
}

/** The password in force, where none is given: it stays. */
const presentExit = async (file: string): Promise<unknown> => {
  const { exit } = JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as { exit?: unknown }
  if (!exit) throw new Error('there is no exit password yet that could stay')
  return exit
}

const bootId = (): string => {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return 'unknown'
  }
}
const boardName = async (): Promise<string | undefined> => {
  const name = await readFile('/sys/class/dmi/id/product_name', 'utf8').catch(() => undefined)
  return name?.trim().slice(0, 128) || undefined
}
const systemName = async (): Promise<string> => {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '')
  return (/^PRETTY_NAME="?([^"\n]*)/m.exec(text)?.[1] ?? `Linux ${release()}`).slice(0, 128)
}
