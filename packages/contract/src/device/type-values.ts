import type { StateName } from './protocol.ts'

/** What any device is looked at for, where its type asks for nothing in particular. */
const common: readonly StateName[] = ['cpu', 'memory', 'disk', 'signal', 'networkType', 'battery']

/** Which values matter to which type of device (behaviour: devices.types), the most important first. */
const byType: Readonly<Record<number, readonly StateName[]>> = {
  1: ['door', 'networkType', 'cpuTemperature', 'uptime'],
  2: ['printer', 'cash', 'disk', 'networkType'],
  3: ['robotState', 'battery', 'signal', 'cpuTemperature'],
  4: ['signal', 'networkType', 'memory', 'uptime'],
  5: ['printer', 'cash', 'disk', 'networkType'],
  6: ['battery', 'signal', 'printer', 'networkType'],
  7: ['battery', 'signal', 'networkType', 'memory'],
  8: ['battery', 'signal', 'networkType', 'memory'],
  9: ['signal', 'voltage', 'cpuTemperature', 'uptime'],
  10: ['networkType', 'memory', 'disk', 'uptime'],
  11: ['door', 'cpuTemperature', 'memory', 'networkType'],
  12: ['battery', 'signal', 'voltage', 'networkType'],
  13: ['disk', 'signal', 'cpuTemperature', 'networkType'],
  14: ['cpu', 'memory', 'disk', 'cpuTemperature'],
  15: ['battery', 'signal', 'memory', 'disk'],
}

const most = 4

/** The values that stand in large type on a device's page: those of its type, then common ones, as far as it tells them. */
export const leadingValues = (type: number, isTold: (name: StateName) => boolean): StateName[] =>
  [...new Set([...(byType[type] ?? []), ...common])].filter(isTold).slice(0, most)
