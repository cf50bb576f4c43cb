import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { event, state } from '@campanile/contract/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Allowed, readConfig } from '../config.ts'
import { type Machine, thisMachine } from './linux/machine.ts'
import { createLinux } from './linux.ts'
import type { Artefact } from './port.ts'

let folder: string
let stateFolder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linux-'))
  stateFolder = join(folder, 'state')
  await mkdir(stateFolder)
  await writeFile(join(stateFolder, 'identity.json'), '{"password":"never to be seen"}')
})
afterEach(() => rm(folder, { recursive: true }))

const nothingAllowed: Allowed = { wipe: false, uninstall: false, password: false }
const linux = async (config: object = {}, machine: Machine = thisMachine, allowed: Partial<Allowed> = {}) => {
  await writeFile(join(stateFolder, 'config.json'), JSON.stringify(config))
  const read = await readConfig(stateFolder)
  return createLinux({
    stateFolder,
    config: read,
    allowed: { ...nothingAllowed, ...allowed },
    version: '1',
    machine,
    log: () => {},
  })
}
/** Programs that only write down how they were called: what they do is not for a machine in use. */
const recording = (answers: Record<string, string> = {}, facts: Partial<Machine> = {}) => {
  const calls: string[] = []
  const machine: Machine = {
    has: () => true,
    isRoot: true,
    hasSystemd: true,
    run: async (program, args, { input } = {}) => {
      const call = [program, ...args].join(' ')
      calls.push(input ? `${call} < ${input.trim()}` : call)
      return answers[call] ?? ''
    },
    ...facts,
  }
  return { machine, calls }
}
const bytesOf = async (file: Artefact) => Buffer.concat(await file.open().toArray())

describe('on this very machine', () => {
  it('reads values that the protocol takes', async () => {
    const hardware = await linux()
    const { values } = await hardware.measure()
    expect(state.parse({ ts: 1, ...values })).toEqual({ ts: 1, ...values })
    expect(Object.keys(values)).toEqual(expect.arrayContaining(['memory', 'disk', 'uptime']))
    expect(values.memory).toBeGreaterThan(0)
  })

  it('opens a door by the program of its owner, and tells how it stands by another', async () => {
    const door = join(folder, 'door')
    const told = join(folder, 'told')
    const hardware = await linux({
      commands: { doorOpen: ['sh', '-c', `cat > ${told}; printf '{"door":"open"}' > ${door}`] },
      valuesCommand: ['cat', door],
    })
    expect((await hardware.measure()).values).not.toHaveProperty('door')
    expect(await hardware.obstacle('doorOpen')).toBeUndefined()
    await hardware.perform('doorOpen', { seconds: 3 })
    expect(JSON.parse(await readFile(told, 'utf8'))).toEqual({ seconds: 3 })
    expect((await hardware.measure()).values).toMatchObject({ door: 'open' })
    expect(await hardware.obstacle('doorClose')).toBe('commands.doorClose is not configured (config.json)')
    await writeFile(door, '{"door":"ajar"}')
    expect((await hardware.measure()).values).not.toHaveProperty('door')
  })

  it('restarts an app by the command of its owner, and says why when that fails', async () => {
    const trace = join(folder, 'restarted')
    const hardware = await linux({
      apps: { good: { restart: ['touch', trace] }, bad: { restart: ['ls', '/does/not/exist'] } },
      mainApp: 'good',
    })
    expect(await hardware.restartApp(undefined)).toEqual({ app: 'good' })
    expect(await readFile(trace, 'utf8')).toBe('')
    await expect(hardware.restartApp('bad')).rejects.toThrow(/No such file/)
    await expect(hardware.restartApp('unknown')).rejects.toThrow('no app unknown is configured here')
  })

  it('packs the logs of a folder it may let out, without its own secrets', async () => {
    await writeFile(join(folder, 'app.log'), 'a line')
    const hardware = await linux({ uploadFrom: [folder] })
    const file = await hardware.collectLog({ type: 'custom', path: `${folder}/` })
    const archive = join(folder, 'out.tar.gz')
    await writeFile(archive, await bytesOf(file))
    const names = execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' })
    expect(names).toContain('app.log')
    expect(names).not.toContain('identity.json')
    await file.discard()
    await expect(bytesOf(file)).rejects.toThrow('ENOENT')
  })

  it('says that there is no log rather than sending an empty one', async () => {
    const without = { ...thisMachine, has: (program: string) => program !== 'journalctl' && thisMachine.has(program) }
    const hardware = await linux({ logs: { crash: [join(folder, 'none')], log: [] } }, without)
    await expect(hardware.collectLog({ type: 'crash' })).rejects.toThrow('no logs of the kind "crash"')
    await expect(hardware.collectLog({ type: 'log' })).rejects.toThrow('no logs of the kind "log"')
  })

  it('sends the journal where there is no file', async () => {
    const journal = {
      ...thisMachine,
      has: () => true,
      run: async (program: string, args: readonly string[], options?: object) =>
        program === 'journalctl' ? 'a line of the journal\n' : thisMachine.run(program, args, options),
    }
    const hardware = await linux({ logs: { crash: [], log: [] } }, journal)
    const file = await hardware.collectLog({ type: 'crash' })
    const archive = join(folder, 'out.tar.gz')
    await writeFile(archive, await bytesOf(file))
    expect(execFileSync('tar', ['-xzOf', archive, './journal/crash.log'], { encoding: 'utf8' })).toContain('a line of')
    await file.discard()
  })

  it.each([
    ['the whole disk', '/', /whole disk/],
    ['a folder nobody opened', '/etc/', /outside the folders/],
    ['what is not there', '/var/log/no-such-folder/', /there is no/],
  ])('does not let out %s', async (_what, path, reason) => {
    await expect((await linux()).collectLog({ type: 'custom', path })).rejects.toThrow(reason)
  })

  it('is not led out of a folder by a link, nor into its own', async () => {
    const hardware = await linux({ uploadFrom: [join(folder, 'open'), stateFolder] })
    await mkdir(join(folder, 'open'))
    await symlink('/etc', join(folder, 'open', 'way-out'))
    await expect(hardware.collectLog({ type: 'custom', path: `${folder}/open/way-out/` })).rejects.toThrow(/outside/)
    await expect(hardware.collectLog({ type: 'custom', path: `${stateFolder}/` })).rejects.toThrow(/own folder/)
  })

  it('hands the payload of a custom command to the program of its owner', async () => {
    const hardware = await linux({ customCommand: ['cat'] })
    expect(await hardware.custom({ hello: 'world' })).toEqual({ output: '{"hello":"world"}' })
  })

  it('keeps settings, and names the one it could not apply', async () => {
    const hardware = await linux({}, { ...thisMachine, has: () => false })
    await expect(hardware.configure({ version: 3, items: { heartbeatSeconds: 30, volume: 40 } })).rejects.toThrow(
      'not applied: volume (amixer is not installed)',
    )
    expect(await hardware.configure({ version: 4, items: { logLevel: 'warn' } })).toEqual({ applied: ['logLevel'] })
    expect(JSON.parse(await readFile(join(stateFolder, 'settings.json'), 'utf8'))).toMatchObject({
      version: 4,
      items: { heartbeatSeconds: 30, logLevel: 'warn' },
    })
    await expect(hardware.configure({ version: 5, items: { logPath: '/../etc/' } })).rejects.toThrow(/logPath/)
  })
})

describe('what it must be allowed or given first', () => {
  it.each(['wipe', 'uninstall', 'devicePassword'] as const)('%s needs a flag at the start', async (name) => {
    expect(await (await linux({}, recording().machine)).obstacle(name)).toMatch(/started without --allow-/)
  })
  it.each(['whitelist', 'screenLockPassword', 'kioskOn', 'custom'] as const)('%s needs a program', async (name) => {
    expect(await (await linux({}, recording().machine)).obstacle(name)).toMatch(/not configured/)
  })
  it('names what is missing on the machine', async () => {
    const bare = { ...recording().machine, has: () => false, hasSystemd: false, isRoot: false }
    const hardware = await linux({}, bare)
    expect(await hardware.obstacle('screenshot')).toBe('none of scrot, import, xwd is installed')
    expect(await hardware.obstacle('reboot')).toBe('this machine does not run systemd')
    expect(await hardware.obstacle('lock')).toBe('loginctl is not installed')
  })
})

describe('what reaches the programs of the machine', () => {
  it('gives a password on standard input, where no list of processes shows it', async () => {
    const { machine, calls } = recording()
    const hardware = await linux({ account: 'kiosk' }, machine, { password: true })
    await hardware.setPassword('s3cret!')
    expect(calls).toEqual(['chpasswd < kiosk:s3cret!'])
    await expect(hardware.setPassword('a\nroot:b')).rejects.toThrow('line break')
  })
  it('locks the screens there are, and admits when there is none', async () => {
    const { machine, calls } = recording({
      'loginctl list-sessions --no-legend': ' 1 1000 ann seat0\n 2 1000 ann -\n',
      'loginctl show-session --property=Type --value -- 1': 'x11\n',
      'loginctl show-session --property=Type --value -- 2': 'tty\n',
    })
    const hardware = await linux({}, machine)
    expect(await hardware.lock(true)).toEqual({ sessions: 1 })
    expect(calls.at(-1)).toBe('loginctl lock-session -- 1')
    expect((await hardware.measure()).values.locked).toBe(true)
    await expect((await linux({}, recording().machine)).lock(true)).rejects.toThrow('no screen to lock')
  })
  it('lists the packages that are installed, and none that was removed', async () => {
    const { machine } = recording()
    const dpkg = {
      ...machine,
      run: async (program: string) =>
        program === 'dpkg-query' ? 'installed\tdpkg\t1.22\nconfig-files\told\t1\n\ninstalled\tvim\t\n' : '',
    }
    expect(await (await linux({ apps: { till: {} } }, dpkg)).software()).toEqual([
      { package: 'till' },
      { package: 'dpkg', version: '1.22' },
      { package: 'vim' },
    ])
  })
  it('does not remove what is not installed or essential', async () => {
    const ask = (name: string) => `dpkg-query --show --showformat=$\{db:Status-Status} $\{Essential} -- ${name}`
    const { machine, calls } = recording({ [ask('vim')]: 'installed no', [ask('bash')]: 'installed yes' })
    const hardware = await linux({}, machine, { uninstall: true })
    await expect(hardware.uninstall('ghost')).rejects.toThrow('ghost is not installed')
    await expect(hardware.uninstall('bash')).rejects.toThrow('essential')
    await hardware.uninstall('vim')
    expect(calls.filter((call) => call.startsWith('apt-get'))).toEqual(['apt-get remove --yes --quiet -- vim'])
  })
  it('tells what the services of its apps have used where systemd counts it, and of no other', async () => {
    const asked = ['ActiveEnterTimestamp', 'IPIngressBytes', 'IPEgressBytes'].map((name) => `--property=${name}`)
    const call = `systemctl show ${asked.join(' ')} -- till.service menu.service gone.service`
    const counted = (time: string, down: string, up: string) =>
      `IPIngressBytes=${down}\nIPEgressBytes=${up}\nActiveEnterTimestamp=${time}\n`
    const answer = [
      counted('Sun 2026-11-15 23:20:19 UTC', '88000', '1200'),
      counted('Sun 2026-11-15 23:20:19 UTC', '18446744073709551615', '[no data]'),
      counted('', '1', '1'),
    ].join('\n')
    const apps = {
      till: { unit: 'till.service' },
      menu: { unit: 'menu.service' },
      gone: { unit: 'gone.service' },
      plain: { restart: ['true'] },
    }
    const { machine, calls } = recording({ [call]: answer })
    const hardware = await linux({ apps }, machine)
    const { events = [] } = await hardware.measure()
    expect(events).toMatchObject([
      {
        type: 'appTraffic',
        data: { apps: { till: { since: Date.UTC(2026, 10, 15, 23, 20, 19), up: 1200, down: 88000 } } },
      },
    ])
    expect(Object.keys((events[0]?.data?.apps ?? {}) as object)).toEqual(['till'])
    expect(event.safeParse(events[0]).success).toBe(true)
    expect((await hardware.measure()).events).toEqual([])
    expect(calls.filter((each) => each === call)).toHaveLength(1)
    const fewer = await linux({ apps }, recording({ [call]: counted('Sun 2026-11-15 23:20:19 UTC', '1', '1') }).machine)
    expect((await fewer.measure()).events).toEqual([])
  })

  it('says that nobody can read a message in an empty room', async () => {
    const { machine } = recording({}, { has: (program) => program !== 'notify-send' })
    await expect((await linux({}, machine)).show({ title: 'T', text: 'x' })).rejects.toThrow('nobody is signed in')
  })
  it('keeps the kiosk password only as what it is checked against', async () => {
    const { machine } = recording()
    const hardware = await linux({ kiosk: { start: ['start-kiosk'], stop: ['stop-kiosk'] } }, machine)
    await hardware.kiosk({
      mode: 'single',
      packages: ['app'],
      exitPassword: 'letmeout',
      statusBar: false,
      homeKey: false,
    })
    const profile = await readFile(join(stateFolder, 'kiosk.json'), 'utf8')
    expect(profile).not.toContain('letmeout')
    expect(JSON.parse(profile).exit.scrypt).toMatch(/^[0-9a-f]{64}$/)
    expect((await hardware.measure()).values.kiosk).toBe(true)
  })
})

it('will not take a configuration that wipes the root of the disk', async () => {
  await expect(linux({ wipe: ['/home'] })).rejects.toThrow('too close to the root')
})
