import { homedir, uptime } from 'node:os'
import { join as joinPath, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import packageFile from '../package.json' with { type: 'json' }
import { createAgent } from './agent.ts'
import { openBacklog } from './backlog-file.ts'
import { createClock } from './clock.ts'
import { readConfig } from './config.ts'
import { sweepWork } from './hardware/linux/files.ts'
import { thisMachine } from './hardware/linux/machine.ts'
import { createKept } from './hardware/linux/settings.ts'
import { createLinux } from './hardware/linux.ts'
import { createIdentityStore, keyForJoining } from './identity.ts'
import { homeOfCaller, install, installAdvice, ownerOf, unitPath, unitText } from './install.ts'
import { askReleaseKey, join, reach } from './join.ts'
import { openJournal } from './journal.ts'
import { openMqtt } from './link/mqtt.ts'
import { lockState } from './lock.ts'
import { systemTimers } from './timers.ts'

const usage = `campanile-agent join URL --sn SERIAL --code CODE   join a server
campanile-agent run                                stay connected and do what it asks
campanile-agent install [--print]                  write a systemd unit that runs it

  --state FOLDER      identity, journal and config.json [~/.campanile-agent]
  --force             join although this machine belongs to a server already
  --allow-wipe        let the platform remove the identity and the folders of config.json
  --allow-uninstall   let the platform remove packages
  --allow-password    let the platform set the account's password`

const wiped = 3
const { values: options, positionals } = readOptions()
const stateFolder = resolve(options.state ?? joinPath(homeOfCaller(process.env, homedir()), '.campanile-agent'))
const identities = createIdentityStore(stateFolder)
const rights = ['allow-wipe', 'allow-uninstall', 'allow-password'] as const

function readOptions() {
  const flag = { type: 'boolean', default: false } as const
  const text = { type: 'string' } as const
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        sn: text,
        code: text,
        state: text,
        force: flag,
        print: flag,
        help: flag,
        'allow-wipe': flag,
        'allow-uninstall': flag,
        'allow-password': flag,
      },
    })
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`)
    process.exit(2)
  }
}

async function joinServer(url: string | undefined): Promise<void> {
  const { sn, code } = options
  if (!url || !sn || !code) throw new Error('join needs an address, --sn and --code')
  // Whoever joins anew need not be able to read what was there.
  const present = options.force ? undefined : await identities.load()
  if (present) throw new Error(`already joined to ${present.serverUrl} as ${present.sn}; --force joins anew`)
  const key = await keyForJoining(stateFolder)
  const membership = await join(url, { sn, code, privateKey: key.privateKey })
  await identities.save({ sn, ...membership, privateKey: key.privateKey })
  await key.forget()
  console.log(`${sn} has joined ${membership.serverUrl}`)
}

async function run(): Promise<void> {
  const identity = await identities.load()
  if (!identity) throw new Error(noIdentity())
  await lockState(stateFolder)
  await sweepWork(stateFolder)
  const config = await readConfig(stateFolder)
  const allowed = {
    wipe: options['allow-wipe'],
    uninstall: options['allow-uninstall'],
    password: options['allow-password'],
  }
  const log = (line: string) => console.error(line)
  const hardware = createLinux({ stateFolder, config, allowed, version: packageFile.version, log })
  const { items } = await createKept(stateFolder).load()
  const clock = createClock({ own: Date.now, uptime: () => uptime() * 1000, boot: hardware.boot() })
  const agent = createAgent({
    identity,
    identities,
    hardware,
    journal: await openJournal(stateFolder, clock.known),
    backlog: await openBacklog(stateFolder, config.keepMegabytes * 1024 * 1024, log),
    keepDays: config.keepDays,
    clock,
    open: openMqtt,
    join,
    reach,
    askReleaseKey,
    askTime: true,
    timers: systemTimers,
    random: Math.random,
    log,
    heartbeatSeconds: typeof items.heartbeatSeconds === 'number' ? items.heartbeatSeconds : 60,
    forgotten: () => process.exit(wiped),
  })
  const end = () => void agent.stop('stopped').then(() => process.exit(0))
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
  await agent.start()
}

async function writeUnit(): Promise<void> {
  const flags = rights.filter((right) => options[right]).map((right) => `--${right}`)
  const program = resolve(process.argv[1] ?? '')
  if (!(await identities.load())) throw new Error(noIdentity())
  const unit = unitText(process.execPath, stateFolder, await ownerOf(stateFolder), flags)
  if (options.print) return console.log(unit)
  if (!thisMachine.isRoot) throw new Error(installAdvice(process.execPath, program, stateFolder, flags))
  await install(program, unit)
  if (!thisMachine.hasSystemd) return console.log(`${unitPath} is written; this machine does not run systemd now.`)
  await thisMachine.run('systemctl', ['daemon-reload'])
  await thisMachine.run('systemctl', ['enable', '--now', 'campanile-agent.service'])
  console.log(`campanile-agent is installed and running with ${stateFolder}`)
}

function noIdentity(): string {
  return (
    `no identity in ${stateFolder}: this machine has joined no server, or as another user. ` +
    'Join first, or name the folder with --state.'
  )
}

async function main(): Promise<void> {
  const [verb, url] = positionals
  if (verb === 'join') return joinServer(url)
  if (verb === 'run') return run()
  if (verb === 'install') return writeUnit()
  if (options.help) return console.log(usage)
  console.error(verb ? `There is no ${verb}.\n\n${usage}` : usage)
  process.exitCode = 2
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
})
