import { defineNeeds } from '../kit/index.ts'
import { device } from './device.resource.ts'

const rows = { rows: device, at: '/device/list' } as const

/** What is wrong with devices, by the place they stand at. */
export const deviceNeeds = defineNeeds('device', {
  breakdown: { ...rows, level: 'critical' },
  away: { ...rows, level: 'major' },
  paper: { ...rows, level: 'major', command: 'message' },
  battery: { ...rows, level: 'major', command: 'message' },
  traffic: { ...rows, level: 'major' },
  cash: { ...rows, level: 'major', command: 'message' },
  printer: { ...rows, level: 'minor', command: 'message' },
})
