import type { CommandName } from '@campanile/contract'

type Range = readonly [low: number, high: number]

/** How devices of a type behave. Codes are those of the dictionary `deviceType`. */
export interface Profile {
  readonly models: readonly [string, ...string[]]
  readonly system: string
  readonly cpu: Range
  readonly memory: Range
  readonly network: readonly [string, ...string[]]
  /** Hours a charge lasts; absent: on the mains. */
  readonly batteryHours?: number
  /** Metres a second while it moves; absent: it stays where it is. */
  readonly speed?: number
  readonly robot?: boolean
  readonly printer?: boolean
  readonly cash?: boolean
  /** Guards a door. */
  readonly door?: boolean
  readonly apps: readonly string[]
  readonly cannot?: Partial<Record<CommandName, string>>
}

const noScreen = {
  screenshot: 'this device has no screen',
  message: 'this device has no screen',
  screenLockPassword: 'this device has no screen',
  kioskOn: 'this device has no screen',
  kioskOff: 'this device has no screen',
}
const fixed = { kioskOn: 'this device runs one app anyway', kioskOff: 'this device runs one app anyway' }
const android = 'Android 13'

export const profiles: Readonly<Record<number, Profile>> = {
  1: {
    models: ['DA-200', 'DA-210'],
    system: android,
    cpu: [4, 25],
    memory: [38, 55],
    network: ['ethernet', 'wifi'],
    door: true,
    apps: ['org.campanile.door'],
    cannot: fixed,
  },
  2: {
    models: ['CR-80', 'CR-88'],
    system: android,
    cpu: [10, 45],
    memory: [45, 70],
    network: ['ethernet', 'wifi'],
    printer: true,
    cash: true,
    apps: ['org.campanile.till', 'org.campanile.printer'],
  },
  3: {
    models: ['RB-Porter', 'RB-Sweep'],
    system: 'Linux 6.1',
    cpu: [25, 75],
    memory: [50, 78],
    network: ['wifi'],
    batteryHours: 7,
    speed: 0.8,
    robot: true,
    apps: ['org.campanile.drive', 'org.campanile.map'],
    cannot: { screenLockPassword: 'a robot has no lock screen' },
  },
  4: {
    models: ['VP-10', 'VP-12'],
    system: android,
    cpu: [5, 40],
    memory: [40, 62],
    network: ['4G', '5G', 'wifi'],
    batteryHours: 30,
    speed: 1.4,
    apps: ['org.campanile.phone', 'org.campanile.homework'],
  },
  5: {
    models: ['KS-32', 'KS-43'],
    system: android,
    cpu: [8, 50],
    memory: [42, 68],
    network: ['ethernet', '4G'],
    printer: true,
    cash: true,
    apps: ['org.campanile.kiosk'],
  },
  6: {
    models: ['HP-5', 'HP-6'],
    system: android,
    cpu: [5, 45],
    memory: [40, 66],
    network: ['4G', 'wifi'],
    batteryHours: 16,
    speed: 1.2,
    printer: true,
    apps: ['org.campanile.pay'],
  },
  7: {
    models: ['MD-100'],
    system: android,
    cpu: [6, 35],
    memory: [35, 60],
    network: ['wifi', 'ethernet'],
    batteryHours: 10,
    apps: ['org.campanile.ward'],
  },
  8: {
    models: ['LG-7', 'LG-9'],
    system: android,
    cpu: [5, 40],
    memory: [38, 64],
    network: ['4G', '5G'],
    batteryHours: 14,
    speed: 9,
    apps: ['org.campanile.parcel', 'org.campanile.scan'],
  },
  9: {
    models: ['TR-1'],
    system: 'Linux 5.15',
    cpu: [12, 48],
    memory: [40, 60],
    network: ['4G'],
    apps: ['org.campanile.traffic'],
    cannot: noScreen,
  },
  10: {
    models: ['ID-60'],
    system: android,
    cpu: [4, 30],
    memory: [36, 55],
    network: ['ethernet', 'wifi'],
    apps: ['org.campanile.idcheck'],
    cannot: fixed,
  },
  11: {
    models: ['FR-8', 'FR-10'],
    system: android,
    cpu: [15, 65],
    memory: [48, 74],
    network: ['ethernet', 'wifi'],
    door: true,
    apps: ['org.campanile.face'],
    cannot: fixed,
  },
  12: {
    models: ['WT-3'],
    system: 'Android 10',
    cpu: [3, 25],
    memory: [30, 50],
    network: ['4G'],
    batteryHours: 20,
    speed: 1.2,
    apps: ['org.campanile.talk'],
    cannot: { kioskOn: 'the firmware has no kiosk mode', kioskOff: 'the firmware has no kiosk mode' },
  },
  13: {
    models: ['IC-4M', 'IC-8M'],
    system: 'Linux 5.10',
    cpu: [20, 55],
    memory: [45, 65],
    network: ['ethernet', 'wifi'],
    apps: ['org.campanile.stream'],
    cannot: noScreen,
  },
  14: {
    models: ['EB-Orin', 'EB-Nano'],
    system: 'Ubuntu 22.04',
    cpu: [20, 85],
    memory: [45, 85],
    network: ['ethernet'],
    apps: ['org.campanile.vision', 'org.campanile.gateway'],
    cannot: noScreen,
  },
  15: {
    models: ['TB-10', 'TB-11'],
    system: android,
    cpu: [5, 45],
    memory: [42, 70],
    network: ['wifi', '4G'],
    batteryHours: 12,
    speed: 0.6,
    apps: ['org.campanile.class', 'org.campanile.reader'],
  },
  16: {
    models: ['GX-1'],
    system: 'Linux 6.1',
    cpu: [3, 40],
    memory: [25, 60],
    network: ['ethernet', 'wifi', '4G'],
    apps: ['org.campanile.agent'],
    cannot: noScreen,
  },
}
const otherType = 16
export const profileOf = (type: number): Profile => profiles[type] ?? (profiles[otherType] as Profile)

/** Where the fleet lives, as longitude and latitude. */
export const towns: readonly [readonly [number, number], ...(readonly [number, number])[]] = [
  [121.4737, 31.2304],
  [113.2644, 23.1291],
  [116.4074, 39.9042],
  [104.0665, 30.5723],
  [121.5654, 25.033],
  [114.1694, 22.3193],
]
