import type { DeviceDetail, DeviceProblem, protocol } from '@campanile/contract/device'
import type { ChartTone } from '../../../kit/chart/LineChart.tsx'
import type { Reader } from '../../../kit/index.ts'
import { trafficText } from '../../../kit/size.ts'

export type ValueName = protocol.StateName

const rounded = (value: number, digits: number) => Number(value.toFixed(digits))

const partsOf = (seconds: number) =>
  [
    ['day', Math.floor(seconds / 86_400)],
    ['hour', Math.floor(seconds / 3_600) % 24],
    ['minute', Math.floor(seconds / 60) % 60],
    ['second', Math.floor(seconds) % 60],
  ] as const

const largestText = (parts: readonly (readonly [unit: string, count: number])[], t: Reader['t']): string => {
  const first = parts.findIndex(([, count]) => count > 0)
  return parts
    .slice(first, first + 2)
    .filter(([, count]) => count > 0)
    .map(([unit, count]) => t(`deviceDetail.duration.${unit}`, { count }))
    .join(' ')
}

/** "6 d 4 h": the two largest parts. */
export const durationText = (seconds: number, t: Reader['t']): string =>
  seconds < 60 ? t('deviceDetail.duration.minute', { count: 0 }) : largestText(partsOf(seconds).slice(0, 3), t)

/** A clock that is off by less is right: a message takes a moment to arrive. */
const clockSlackMs = 2_000
/** "3 min 12 s behind". */
export const clockOffsetText = (offset: number, t: Reader['t']): string => {
  if (Math.abs(offset) < clockSlackMs) return t('deviceDetail.clock.right')
  const shown = largestText(partsOf(Math.round(Math.abs(offset) / 1_000)), t)
  return t(offset > 0 ? 'deviceDetail.clock.ahead' : 'deviceDetail.clock.behind', { shown })
}

const units: Partial<Record<ValueName, { unit: string; digits: number }>> = {
  battery: { unit: '%', digits: 0 },
  cpu: { unit: '%', digits: 0 },
  memory: { unit: '%', digits: 0 },
  disk: { unit: '%', digits: 0 },
  cpuTemperature: { unit: '°C', digits: 0 },
  signal: { unit: 'dBm', digits: 0 },
  voltage: { unit: 'V', digits: 2 },
  current: { unit: 'mA', digits: 0 },
  locationAccuracy: { unit: 'm', digits: 0 },
}
const counted = ['mobileUp', 'mobileDown', 'wifiUp', 'wifiDown']

/** As people call them; a network nobody has named here stands in the device's own word (4G, LTE-M). */
const namedNetworks = ['wifi', 'ethernet']
const networkText = (told: string, { t }: Reader) =>
  namedNetworks.includes(told) ? t(`deviceDetail.network.${told}`) : told

/** A value with its unit, in the reader's figures. */
export const valueText = (name: ValueName, value: string | number | boolean, reader: Reader): string => {
  if (typeof value === 'boolean') return reader.t(value ? 'kit.value.yes' : 'kit.value.no')
  if (name === 'charging' || name === 'robotState') return reader.option(name, value)
  if (name === 'door') return reader.t(`deviceDetail.door.${value}`)
  if (name === 'networkType') return networkText(String(value), reader)
  // What is commonly said is translated; anything else stands as the device said it.
  if (name === 'printer' || name === 'cash')
    return reader.t(`selfService.peripheral.${value}`, { defaultValue: String(value) })
  if (typeof value === 'string') return value
  if (name === 'uptime') return durationText(value, reader.t)
  if (counted.includes(name)) return trafficText(value, reader)
  const { unit, digits } = units[name] ?? { unit: '', digits: 5 }
  return `${reader.number(rounded(value, digits))}${unit ? ` ${unit}` : ''}`
}

/** A value by a name of the device's own: nobody knows its unit. */
export const ownValueText = (value: string | number | boolean, reader: Reader): string => {
  if (typeof value === 'boolean') return reader.t(value ? 'kit.value.yes' : 'kit.value.no')
  return typeof value === 'number' ? reader.number(rounded(value, 3)) : value
}

/** Values drawn over time, in the order of importance, each in its colour and its natural range. */
export const drawn: readonly { name: protocol.TelemetryName; tone: ChartTone; range?: readonly [number, number] }[] = [
  { name: 'cpu', tone: 'accent', range: [0, 100] },
  { name: 'memory', tone: 'violet', range: [0, 100] },
  { name: 'battery', tone: 'good', range: [0, 100] },
  { name: 'signal', tone: 'warning' },
  { name: 'cpuTemperature', tone: 'warning' },
  { name: 'disk', tone: 'violet', range: [0, 100] },
  { name: 'voltage', tone: 'good' },
  { name: 'current', tone: 'accent' },
]

/** What stands beside a figure on its card: the values that explain it. */
export const beside: Partial<Record<ValueName, readonly ValueName[]>> = {
  cpu: ['cpuTemperature'],
  battery: ['charging', 'voltage', 'current'],
  signal: ['networkType', 'ssid'],
  networkType: ['ssid', 'signal'],
  robotState: ['charging'],
}

/** The value that tells a problem, where one does. */
export const problemValues: Partial<Record<DeviceProblem, ValueName>> = {
  breakdown: 'robotState',
  paper: 'printer',
  printer: 'printer',
  cash: 'cash',
  battery: 'battery',
}

/** When the newest of its values was measured; undefined where it has none. */
export const newestOf = ({ values }: DeviceDetail): number | undefined => {
  const times = Object.values(values).map(({ ts }) => Date.parse(ts))
  return times.length === 0 ? undefined : Math.max(...times)
}

/** A value that is older says from when it is. */
const freshMs = 2 * 60_000
export const isOld = ({ ts }: { ts: string }, now: number) => now - Date.parse(ts) > freshMs

export const isFresh = (detail: DeviceDetail, now: number): boolean => {
  const newest = newestOf(detail)
  return newest !== undefined && now - newest <= freshMs
}

/** Connected, and nothing of it has changed for longer than any device is silent. */
const stillMs = 15 * 60_000
export const isStandingStill = (detail: DeviceDetail, now: number): boolean => {
  const newest = newestOf(detail)
  return !isAway(detail) && newest !== undefined && now - newest > stillMs
}

/** What a device told last is old while it is away. */
export const isAway = ({ row }: DeviceDetail) => row.iotStatus === 'offline'
