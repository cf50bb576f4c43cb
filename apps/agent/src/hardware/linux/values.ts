import { readdir, readFile, readlink, statfs } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import type { StateValues } from '@campanile/contract/protocol'

/** Read straight from the kernel's files: no process is started for a heartbeat. */
const words = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  )
const figure = async (path: string): Promise<number | undefined> => {
  const text = await words(path)
  const value = text === undefined || text === '' ? Number.NaN : Number(text)
  return Number.isFinite(value) ? value : undefined
}
const names = (path: string): Promise<string[]> => readdir(path).catch(() => [])
const tenth = (value: number) => Math.round(value * 10) / 10
const clamp = (value: number) => tenth(Math.min(100, Math.max(0, value)))

/** Busy and all ticks since the machine started. */
export const cpuTicks = (stat: string): { busy: number; all: number } => {
  const ticks = (stat.split('\n')[0] ?? '').trim().split(/\s+/).slice(1, 9).map(Number)
  const all = ticks.reduce((sum, each) => sum + each, 0)
  const [, , , idle = 0, waiting = 0] = ticks
  return { busy: all - idle - waiting, all }
}

export const memoryUsed = (meminfo: string): number | undefined => {
  const of = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(meminfo)?.[1])
  const total = of('MemTotal')
  const free = of('MemAvailable')
  return total > 0 && Number.isFinite(free) ? clamp(100 * (1 - free / total)) : undefined
}

/** Bytes received and sent by each interface. */
export const interfaceBytes = (dev: string): { name: string; down: number; up: number }[] =>
  dev.split('\n').flatMap((line) => {
    const match = /^\s*([^:\s]+):\s*(.+)$/.exec(line)
    const counts = match?.[2]?.trim().split(/\s+/).map(Number) ?? []
    const [name, down, up] = [match?.[1], counts[0], counts[8]]
    return name && name !== 'lo' && down !== undefined && up !== undefined ? [{ name, down, up }] : []
  })

/** Strength in dBm of the first wireless interface that has one. */
export const wirelessSignal = (wireless: string): number | undefined => {
  const match = /^\s*\S+:\s+\d+\s+[\d.]+\s+(-?[\d.]+)/m.exec(wireless)
  return match ? Number(match[1]) : undefined
}

const kindOf = async (name: string): Promise<'wifi' | 'mobile' | 'ethernet' | 'other'> => {
  if ((await names(`/sys/class/net/${name}`)).includes('wireless')) return 'wifi'
  if (/^(wwan|ppp|rmnet|usb)/.test(name)) return 'mobile'
  const device = await readlink(`/sys/class/net/${name}/device`).catch(() => undefined)
  return device || /^(eth|en)/.test(name) ? 'ethernet' : 'other'
}

const battery = async (): Promise<StateValues> => {
  for (const supply of await names('/sys/class/power_supply')) {
    const folder = `/sys/class/power_supply/${supply}`
    if ((await words(`${folder}/type`)) !== 'Battery') continue
    const [level, status, volts, amps] = await Promise.all([
      figure(`${folder}/capacity`),
      words(`${folder}/status`),
      figure(`${folder}/voltage_now`),
      figure(`${folder}/current_now`),
    ])
    if (level === undefined) continue
    return {
      battery: clamp(level),
      charging: status === 'Charging' ? 'charging' : status && status !== 'Unknown' ? 'notCharging' : 'unknown',
      ...(volts === undefined ? {} : { voltage: tenth(volts / 1e6) }),
      ...(amps === undefined ? {} : { current: Math.round(amps / 1000) }),
    }
  }
  return {}
}

/** The warmest zone speaks for the machine. */
const temperature = async (): Promise<StateValues> => {
  const zones = (await names('/sys/class/thermal')).filter((name) => name.startsWith('thermal_zone'))
  const all = await Promise.all(zones.map((zone) => figure(`/sys/class/thermal/${zone}/temp`)))
  const known = all.filter((value) => value !== undefined && value > -100_000 && value < 300_000) as number[]
  return known.length > 0 ? { cpuTemperature: tenth(Math.max(...known) / 1000) } : {}
}

const defaultInterface = async (): Promise<string | undefined> => {
  const routes = (await words('/proc/net/route')) ?? ''
  return routes
    .split('\n')
    .map((line) => line.split('\t'))
    .find(([, destination]) => destination === '00000000')?.[0]
}

const network = async (): Promise<StateValues> => {
  const sums = { wifiUp: 0, wifiDown: 0, mobileUp: 0, mobileDown: 0 }
  for (const { name, up, down } of interfaceBytes((await words('/proc/net/dev')) ?? '')) {
    const kind = await kindOf(name)
    // The platform counts what costs money apart from what does not.
    if (kind === 'mobile') {
      sums.mobileUp += up
      sums.mobileDown += down
    } else if (kind !== 'other') {
      sums.wifiUp += up
      sums.wifiDown += down
    }
  }
  const route = await defaultInterface()
  const signal = wirelessSignal((await words('/proc/net/wireless')) ?? '')
  return {
    ...sums,
    ...(route ? { networkType: await kindOf(route) } : {}),
    ...(signal === undefined ? {} : { signal }),
  }
}

export const createValues = () => {
  let before = { busy: 0, all: 0 }
  return async (): Promise<StateValues> => {
    const [stat, meminfo, disk, uptime, ...parts] = await Promise.all([
      words('/proc/stat'),
      words('/proc/meminfo'),
      statfs('/').catch(() => undefined),
      words('/proc/uptime'),
      battery(),
      temperature(),
      network(),
    ])
    const ticks = cpuTicks(stat ?? '')
    const cpu =
      ticks.all > before.all ? clamp((100 * (ticks.busy - before.busy)) / (ticks.all - before.all)) : undefined
    before = ticks
    const memory = memoryUsed(meminfo ?? '')
    const seconds = Math.floor(Number((uptime ?? '').split(' ')[0]))
    return Object.assign(
      {
        ...(cpu === undefined ? {} : { cpu }),
        ...(memory === undefined ? {} : { memory }),
        ...(disk && disk.blocks > 0 ? { disk: clamp(100 * (1 - disk.bavail / disk.blocks)) } : {}),
        ...(seconds > 0 ? { uptime: seconds } : {}),
      },
      ...parts,
    )
  }
}

export const addresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter((each) => !each.internal && !each.address.startsWith('fe80'))
    .map((each) => each.address)
    .slice(0, 32)
