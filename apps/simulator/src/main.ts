import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { networkGone, reach } from '@campanile/agent'
import { readCredentials, readRemembered } from './credentials.ts'
import { createFleet } from './fleet.ts'
import { createOpenLink } from './link.ts'
import { pastOf } from './past.ts'
import { type Scenario, type ScenarioName, scenarios } from './scenarios/index.ts'
import { createFetchSmall } from './small-fetch.ts'
import { readUpdateMix } from './updates.ts'
import { createWheel, turnWheel } from './wheel.ts'

const usage = `npm run simulate -- [options]

  --devices N         so many devices of all types, registered with the server that runs on this machine [1000];
                      with --credentials: only the first N of them
  --credentials FILE  devices of any server, one JSON object a line: sn, type, model?, password, mqttUrl, serverUrl?; or a code
                      instead of the password; - reads them from standard input, up to an empty line
  --url URL           broker for all of them, mqtt:// or mqtts:// [each line's own]
  --server URL        where codes are exchanged and files are uploaded [each line's own]
  --scenario NAME     ${Object.keys(scenarios).join(', ')} [living]
  --heartbeat SECONDS time between reports [the scenario's own]
  --updates MIX       what becomes of devices that are updated, in percent: slow=10,failing=30,bricked=1,offline=5; one word
                      alone is all of them [as on an ordinary day; with the scenario load: success]
  --seed N            the same seed, the same fleet [1]
  --minutes N         end by itself after that [with Ctrl-C]
  --demo              end with the process that started us, and say little
  --past              tell on standard output what they would have said from each line's from to its to (ms; the last 30
                      days), one JSON object a device, and end
  --verbose           say what every device does`

const tellEveryMs = 10_000
const text = { type: 'string' } as const
const flag = { type: 'boolean', default: false } as const
function readOptions() {
  try {
    return parseArgs({
      options: {
        credentials: text,
        devices: text,
        url: text,
        server: text,
        scenario: { ...text, default: 'living' },
        heartbeat: text,
        updates: text,
        seed: { ...text, default: '1' },
        minutes: text,
        demo: flag,
        past: flag,
        verbose: flag,
        help: flag,
      },
    }).values
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`)
    process.exit(2)
  }
}
const options = readOptions()

const isScenario = (name: string): name is ScenarioName => Object.hasOwn(scenarios, name)
const figure = (name: string, value: string | undefined, otherwise: number): number => {
  if (value === undefined) return otherwise
  const number = Number(value)
  if (!Number.isFinite(number) || number < 0) throw new Error(`--${name} must be a number, not ${value}`)
  return number
}

async function main(): Promise<void> {
  if (options.help || !options.credentials) {
    console.log(usage)
    if (!options.help) process.exitCode = 2
    return
  }
  if (!isScenario(options.scenario)) throw new Error(`--scenario must be one of ${Object.keys(scenarios).join(', ')}`)
  const scenario = scenarios[options.scenario]
  if (options.past) return tellPast(options.credentials, scenario)
  const credentials = await readCredentials(options.credentials, {
    devices: figure('devices', options.devices, Number.MAX_SAFE_INTEGER),
    mqttUrl: options.url,
    serverUrl: options.server,
  })
  if (credentials.length === 0) throw new Error(`${options.credentials} names no devices`)
  const minutes = figure('minutes', options.minutes, 0)
  const [first] = credentials
  // Said before a thousand devices find out one by one.
  if (!options.demo && first?.serverUrl)
    await reach(first.serverUrl).catch((error: Error) => {
      throw new Error(`${error.message}. Is it running? Name it with --server, and where devices connect with --url.`)
    })
  const wheel = createWheel(Date.now())
  let trouble = ''
  const fleet = createFleet({
    credentials,
    scenario,
    heartbeatSeconds: figure('heartbeat', options.heartbeat, scenario.heartbeatSeconds),
    seed: figure('seed', options.seed, 1),
    updateMix: options.updates === undefined ? undefined : readUpdateMix(options.updates),
    fetchSmall: createFetchSmall(),
    timers: wheel,
    open: createOpenLink(wheel),
    log: (sn, line) => {
      if (options.verbose) console.error(`${sn}: ${line}`)
      const why = /^not connected to (.+?); next try/.exec(line)?.[1]
      if (why && !why.includes(networkGone)) trouble = `${sn} not to ${why}`
    },
  })
  const halt = turnWheel(wheel)
  fleet.start()
  if (!options.demo) {
    console.error(`${credentials.length} devices from ${first?.sn} on connect to ${first?.mqttUrl}; Ctrl-C ends them`)
    wheel.after(tellEveryMs, tell)
  }
  if (minutes > 0) wheel.after(minutes * 60_000, () => void end())

  function tell() {
    const { devices, connected } = fleet.figures()
    const memory = Math.round(process.memoryUsage().rss / 1024 / 1024)
    console.error(`${connected} of ${devices} devices connected, ${memory} MB${trouble ? `; last ${trouble}` : ''}`)
    trouble = ''
    wheel.after(tellEveryMs, tell)
  }
  let ending = false
  const end = async () => {
    // Ctrl-C comes twice, from the terminal and through npm.
    if (ending) return
    ending = true
    const { connected } = fleet.figures()
    await fleet.stop()
    halt()
    if (!options.demo) console.error(`${connected} devices have said goodbye`)
    process.exit(0)
  }
  process.once('SIGTERM', () => void end())
  // Ctrl-C reaches the whole group; with --demo our parent ends us in its own time.
  process.on('SIGINT', () => {
    if (!options.demo) void end()
  })
  if (!options.demo) return
  // Our parent holds the other end: when it dies, however it dies, this ends too.
  if (process.stdin.readableEnded || process.stdin.destroyed) await end()
  process.stdin.once('close', () => void end()).resume()
}

async function tellPast(path: string, scenario: Scenario): Promise<void> {
  const now = Date.now()
  for (const device of await readRemembered(path, now)) {
    const past = await pastOf(device, figure('seed', options.seed, 1), scenario, now)
    if (!process.stdout.write(`${JSON.stringify(past)}\n`)) await once(process.stdout, 'drain')
  }
  process.stdin.destroy()
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
})
