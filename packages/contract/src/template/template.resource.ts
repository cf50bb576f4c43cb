import { z } from 'zod'
import { device } from '../device/device.resource.ts'
import { serial } from '../device/facts.ts'
import {
  answering,
  choice,
  choices,
  defineResource,
  longText,
  namedBy,
  number,
  once,
  optional,
  readOnly,
  ref,
  startingWith,
  text,
  timestamp,
  unlisted,
  unsorted,
  untold,
  when,
} from '../kit/index.ts'
import { department } from '../organisation/organisation.resource.ts'
import { templateErrors } from './template.errors.ts'
import {
  templateItemNames,
  templateItems,
  templateSectionNames,
  templateSections,
  templateSystems,
  wifiPassword,
  wifiSecurities,
  wifiWithPassword,
} from './template.items.ts'

const whileWifi = { field: 'wifi', is: ['on'] } as const
const onAndroid = { field: 'systemType', is: ['android'] } as const
const { wifi, bluetooth, lockScreen, brightnessMode, screenOffSeconds, timeZone, language } = templateItems

/** How devices are to be set up: what is left blank stays as each device has it. */
export const configTemplate = defineResource({
  name: 'configTemplate',
  wire: { path: '/api/v3/device/configuration' },
  fields: {
    name: text(64),
    /** Items differ by it, so another system is another template. */
    systemType: once(startingWith('android', choice(templateSystems))),
    remark: optional(longText(256)),
    departmentId: department(),
    departmentName: readOnly(text()),

    wifi,
    wifiSsid: when(whileWifi, answering({ missing: templateErrors.wifiIncomplete.code }, text(32))),
    wifiSecurity: when(whileWifi, answering({ missing: templateErrors.wifiIncomplete.code }, choice(wifiSecurities))),
    /** Sealed where it rests, and never answered. */
    wifiPassword: when({ field: 'wifiSecurity', is: wifiWithPassword }, unlisted(optional(wifiPassword()))),
    bluetooth,

    adb: when(onAndroid, templateItems.adb),
    lockScreen,

    brightnessMode,
    brightness: when({ field: 'brightnessMode', is: ['fixed'] }, number(0, 100)),
    screenOffSeconds,
    notificationBar: when(onAndroid, templateItems.notificationBar),
    orientation: when(onAndroid, templateItems.orientation),

    location: when(onAndroid, templateItems.location),
    camera: when(onAndroid, templateItems.camera),
    usb: when(onAndroid, templateItems.usb),

    googleServices: when(onAndroid, templateItems.googleServices),
    googlePlay: when(onAndroid, templateItems.googlePlay),

    ...templateSections.sound,

    timeZone,
    language,

    /** Counts what its items have been. */
    version: readOnly(number(1, Number.MAX_SAFE_INTEGER)),
    /** In which at least one item is set. */
    sections: readOnly(
      unsorted(namedBy((section) => `configTemplate.group.${section}`, choices(templateSectionNames))),
    ),
    deviceCount: readOnly(unsorted(number(0, Number.MAX_SAFE_INTEGER))),
    /** Of these devices, those that hold something else, or an older version of it. */
    differCount: readOnly(unsorted(number(0, Number.MAX_SAFE_INTEGER))),
    creatorName: readOnly(optional(text())),
    updateTime: readOnly(timestamp()),
    createTime: readOnly(timestamp()),
  },
  list: {
    columns: [
      'name',
      'systemType',
      'sections',
      'deviceCount',
      'differCount',
      'version',
      'departmentId',
      'updateTime',
      'remark',
    ],
    hidden: ['version', 'departmentId'],
    card: ['systemType', 'deviceCount', 'updateTime'],
    filters: ['name', 'systemType', 'departmentId', 'updateTime'],
    sort: '-updateTime',
  },
  form: {
    basics: ['name', 'systemType', 'departmentId', 'remark'],
    connectivity: ['wifi', 'wifiSsid', 'wifiSecurity', 'wifiPassword', 'bluetooth'],
    security: ['lockScreen', 'adb'],
    display: ['brightnessMode', 'brightness', 'screenOffSeconds', 'notificationBar', 'orientation'],
    hardware: ['location', 'camera', 'usb'],
    services: ['googleServices', 'googlePlay'],
    sound: ['volumeSystem', 'volumeMusic', 'volumeAlarm', 'volumeCall'],
    time: ['timeZone', 'language'],
  },
  perms: {
    list: 'config:template:list',
    create: 'config:template:add',
    update: 'config:template:edit',
    remove: 'config:template:delete',
  },
  scope: 'organisation',
  menu: { key: 'configTemplates', under: 'deviceTask', url: '/config/template', icon: 'config' },
  palette: { tells: ['systemType', 'departmentName', 'deviceCount'] },
  actions: {
    /** Another with the same items, its Wi-Fi password included. */
    copy: {
      on: 'row',
      perm: 'config:template:add',
      fields: { name: text(64) },
      answer: z.object({ id: z.number().int() }),
      errors: [templateErrors.nameExists.code],
    },
  },
})

/** A device that a template was applied to last, and what it has said since that it holds. */
export const templateDevice = defineResource({
  name: 'templateDevice',
  wire: { path: '/api/v3/device/configuration/device' },
  fields: {
    sn: readOnly(serial()),
    templateId: untold(readOnly(ref(() => configTemplate, 'templateName'))),
    templateName: readOnly(text(64)),
    deviceId: untold(readOnly(ref(() => device, 'sn'))),
    departmentId: readOnly(department()),
    departmentName: readOnly(text()),
    /** `outdated`: the template has been changed since it was applied. */
    state: readOnly(unsorted(choice(['same', 'differs', 'outdated']))),
    differs: readOnly(unsorted(namedBy((item) => `configTemplate.field.${item}`, choices(templateItemNames)))),
    /** What it holds instead, item by item. */
    instead: readOnly(unsorted(optional(longText(4096)))),
    /** What it held before the template was applied: undoing leads back there. */
    before: readOnly(unsorted(optional(longText(4096)))),
    version: readOnly(number(1, Number.MAX_SAFE_INTEGER)),
    applyTime: readOnly(timestamp()),
    /** When it last said what it holds. */
    toldTime: readOnly(timestamp()),
  },
  list: {
    columns: [
      'sn',
      'templateName',
      'state',
      'differs',
      'instead',
      'before',
      'version',
      'departmentId',
      'applyTime',
      'toldTime',
    ],
    hidden: ['before', 'version', 'departmentId'],
    card: ['state', 'differs', 'toldTime'],
    filters: ['sn', 'state', 'templateId', 'departmentId', 'applyTime'],
    sort: '-applyTime',
  },
  perms: { list: 'config:template:list' },
  scope: 'organisation',
})
