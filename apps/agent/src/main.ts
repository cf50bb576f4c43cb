import { generateKeyPairSync } from 'node:crypto'
import { homedir } from 'node:os'
import { join as joinPath, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import packageFile from '../package.json' with { type: 'json' }
import { createAgent } from './agent.ts'
import { readConfig } from './config.ts'
import { thisMachine } from './hardware/linux/machine.ts'
import { createKept } from './hardware/linux/settings.ts'
import { createLinux } from './hardware/linux.ts'
import { createIdentityStore } from './identity.ts'
import { install, unitPath, unitText } from './install.ts'
import { join } from './join.ts'
import { openJournal } from './journal.ts'
import { openMqtt } from './link/mqtt.ts'
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
const stateFolder = resolve(options.state ?? joinPath(homedir(), '.campanile-agent'))
const identities = createIdentityStore(stateFolder)
const rights = ['allow-wipe', 'allow-uninstall', 'allow-password'] as const

function readOptions() {
  const flag = { type: 'boolean', default: false } as const
  const text = { type: 'string' } as const
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
}

async function joinServer(url: string | undefined): Promise<void> {
  const { sn, code } = options
  if (!url || !sn || !code) throw new Error('join needs an address, --sn and --code')
  const present = await identities.load()
  if (present && !options.force)
    throw new Error(`already joined to ${present.serverUrl} as ${present.sn}; --force joins anew`)
  const keys = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const membership = await join(url, { sn, code, publicKey: keys.publicKey })
  await identities.save({ sn, ...membership, privateKey: keys.privateKey })
  console.log(`${sn} has joined ${membership.serverUrl}`)
}

async function run(): Promise<void> {
  const identity = await identities.load()
  if (!identity) throw new Error(`no identity in ${stateFolder}: join a server first`)
  const allowed = {
    wipe: options['allow-wipe'],
    uninstall: options['allow-uninstall'],
    password: options['allow-password'],
  }
  const { items } = await createKept(stateFolder).load()
  const agent = createAgent({
    identity,
    identities,
    hardware: createLinux({
      stateFolder,
      config: await readConfig(stateFolder),
      allowed,
      version: packageFile.version,
    }),
    journal: await openJournal(stateFolder, systemTimers.now),
    open: openMqtt,
    join,
    timers: systemTimers,
    random: Math.random,
    log: (line) => console.error(line),
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
  const unit = unitText(process.execPath, stateFolder, flags)
  if (options.print) return console.log(unit)
  await install(resolve(process.argv[1] ?? ''), unit)
  if (!thisMachine.hasSystemd) return console.log(`${unitPath} is written; this machine does not run systemd now.`)
  await thisMachine.run('systemctl', ['daemon-reload'])
  await thisMachine.run('systemctl', ['enable', '--now', 'campanile-agent.service'])
  console.log('campanile-agent is installed and running')
}

async function main(): Promise<void> {
  const [verb, url] = positionals
  if (verb === 'join') return joinServer(url)
  if (verb === 'run') return run()
  if (verb === 'install') return writeUnit()
  console.log(usage)
  if (!options.help) process.exitCode = 2
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
})
