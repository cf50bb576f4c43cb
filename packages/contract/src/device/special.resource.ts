import { commandStates } from '../command/command.machine.ts'
import {
  choice,
  date,
  defineResource,
  mono,
  number,
  optional,
  readOnly,
  text,
  timestamp,
  unsorted,
} from '../kit/index.ts'
import { department } from '../organisation/organisation.resource.ts'
import { chargingStates, connection, robotStates, serial } from './facts.ts'

/** What every such list begins with. The registry owns the rows; here people see and change what is peculiar. */
const common = {
  sn: readOnly(serial()),
  departmentId: readOnly(department()),
  departmentName: readOnly(text()),
  iotStatus: readOnly(connection()),
  activationStatus: readOnly(choice([0, 1, 2, 3])),
  lastConnected: readOnly(optional(timestamp())),
} as const

export const robot = defineResource({
  name: 'robot',
  wire: { path: '/api/v3/device/robot' },
  fields: {
    ...common,
    name: optional(text(64)),
    robotState: readOnly(optional(choice(robotStates))),
    battery: readOnly(optional(number(0, 100))),
    charging: readOnly(choice(chargingStates)),
    /** The last command it was given and how that went. */
    lastTask: readOnly(optional(unsorted(text(64)))),
    lastTaskState: readOnly(optional(unsorted(choice(commandStates)))),
  },
  list: {
    columns: ['sn', 'name', 'iotStatus', 'departmentId', 'robotState', 'battery', 'lastTask', 'lastConnected'],
    filters: ['sn', 'robotState', 'departmentId', 'iotStatus', 'name'],
    sort: 'sn',
  },
  form: { basics: ['name'] },
  perms: { list: 'device:robot:list', update: 'device:robot:edit', export: 'device:robot:export' },
  scope: 'organisation',
})

export const selfService = defineResource({
  name: 'selfService',
  wire: { path: '/api/v3/device/selfService' },
  fields: {
    ...common,
    location: optional(text(64)),
    /** In the device's own words; `ok` where nothing is wrong. */
    printer: readOnly(optional(unsorted(text(128)))),
    cash: readOnly(optional(unsorted(text(128)))),
    description: optional(text(64)),
  },
  list: {
    columns: ['sn', 'location', 'iotStatus', 'departmentId', 'printer', 'cash', 'description', 'lastConnected'],
    card: ['printer', 'cash', 'departmentId'],
    filters: ['sn', 'iotStatus', 'departmentId', 'location'],
    sort: 'sn',
  },
  form: { basics: ['location', 'description'] },
  perms: {
    list: 'device:selfService:list',
    update: 'device:selfService:edit',
    export: 'device:selfService:export',
  },
  scope: 'organisation',
})

/** A phone without a licence is told apart from one whose licence is over. */
export const phoneLicences = ['none', 'active', 'expiring', 'expired'] as const
export const videoPhone = defineResource({
  name: 'videoPhone',
  wire: { path: '/api/v3/device/videoPhone' },
  fields: {
    ...common,
    /** The nearest school above it. */
    schoolName: readOnly(optional(unsorted(text()))),
    location: optional(text(64)),
    licence: readOnly(unsorted(choice(phoneLicences))),
    licenceExpiry: readOnly(optional(unsorted(date()))),
    /** The power schedule it has taken last, `HH:MM`; nothing while it is switched off. */
    powerOff: readOnly(optional(unsorted(mono(5)))),
    powerOn: readOnly(optional(unsorted(mono(5)))),
    powerSetTime: readOnly(optional(unsorted(timestamp()))),
    description: optional(text(64)),
  },
  list: {
    columns: [
      'sn',
      'schoolName',
      'departmentId',
      'location',
      'iotStatus',
      'licence',
      'licenceExpiry',
      'powerOff',
      'powerOn',
      'powerSetTime',
      'lastConnected',
      'description',
    ],
    hidden: ['powerSetTime', 'description'],
    card: ['departmentId', 'licence', 'licenceExpiry'],
    filters: ['sn', 'departmentId', 'iotStatus', 'licence', 'location'],
    sort: 'sn',
  },
  form: { basics: ['location', 'description'] },
  perms: {
    list: 'device:videoPhone:list',
    update: 'device:videoPhone:edit',
    export: 'device:videoPhone:export',
  },
  scope: 'organisation',
})
