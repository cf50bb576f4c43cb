import { z } from 'zod'
import {
  answering,
  choice,
  choices,
  date,
  defineResource,
  dictionaries,
  dictionary,
  done,
  modules,
  mono,
  monthDay,
  namedBy,
  number,
  once,
  optional,
  type RefTarget,
  readOnly,
  ref,
  startingWith,
  text,
  timeOfDay,
  timestamp,
  timeZone,
  toggle,
  unlisted,
  unsorted,
  url,
  weekdays,
  when,
} from '../kit/index.ts'

const school = { field: 'type', is: [2] }
const pushing = { field: 'pushStatus', is: [true] }
const paying = { field: 'paymentStatus', is: [true] }
const promoting = { field: 'autoPromotion', is: [true] }
const choosing = { field: 'ownModules', is: [true] }
const messaging = { field: 'messagingAuthorised', is: [true] }
const letters = /^[A-Za-z0-9]+$/

/** A department a row belongs to or names. */
export const department = (nameField = 'departmentName') => ({
  ...ref((): RefTarget => organisation, nameField),
  place: true as const,
})

/** A department of any of the nine kinds. Its place in the tree changes by `move`, never by editing. */
export const organisation = defineResource({
  name: 'organisation',
  wire: { path: '/api/v1/oauth/depts', idsKey: 'departmentId' },
  fields: {
    name: text(64),
    type: once(choice([0, 1, 2, 3, 4, 5, 6, 7, 8]), 21064),
    parentId: once(answering({ missing: 21052 }, department('parentName'))),
    parentName: readOnly(optional(text())),
    /** Filter only: everything below it, where `parentId` asks for direct children. */
    ancestorId: readOnly(optional(unlisted(department('ancestorName')))),
    schoolCategory: when(school, optional(dictionary('schoolCategory'))),
    schoolCode: when(school, optional(mono(32, letters))),
    autoPromotion: when(school, toggle()),
    promotionDate: when(promoting, answering({ missing: 21072 }, monthDay())),
    nextPromotion: readOnly(optional(unsorted(date()))),
    deviceKeyStatus: toggle(),
    /** Devices of it, and of what stands below it, connect only with an IoT licence that is valid. */
    licenceRequired: toggle(),
    autoIssue: toggle(),
    fileServerUrl: optional(url()),
    pushStatus: toggle(),
    pushAddress: when(pushing, url()),
    pushTypes: when(pushing, optional(dictionaries('pushType'))),
    paymentStatus: toggle(),
    merchantId: when(paying, optional(mono(32, /^\d+$/))),
    subMerchantId: when(paying, optional(mono(32, /^\d+$/))),
    institutionId: when(paying, optional(mono(32, letters))),
    customerType: once(startingWith(0, dictionary('customerType')), 21058),
    iotType: startingWith(0, dictionary('iotType')),
    /** What recurs by the clock goes by these clocks; without one by those of the organisation above. */
    timeZone: optional(timeZone()),
    /** When its devices may be worked on, over midnight where it ends earlier; without it that of the organisation above. */
    maintenanceFrom: optional(timeOfDay()),
    maintenanceTo: optional(timeOfDay()),
    /** The days on which it begins; every day where none is named. */
    maintenanceDays: optional(weekdays()),
    /** Whether it says itself which modules it uses; without that it uses those the organisation above uses. */
    ownModules: toggle(),
    /** What it does not use is kept, so that a module that is new is there. */
    unusedModules: when(choosing, optional(namedBy((module) => `module.name.${module}`, choices(modules)))),
    miniProgram: optional(mono(18, /^wx[0-9a-f]{16}$/)),
    messagingAuthorised: toggle(),
    corpId: when(messaging, mono(64)),
    /** Since when it is authorised. */
    messagingTime: readOnly(optional(timestamp())),
    largeScreenTitle: optional(text(20)),
    areaName: optional(text(20)),
    /** Told to those who may list them there. */
    deviceCount: readOnly(optional(unsorted(number(0, Number.MAX_SAFE_INTEGER)))),
    personCount: readOnly(optional(unsorted(number(0, Number.MAX_SAFE_INTEGER)))),
    childCount: readOnly(unsorted(number(0, Number.MAX_SAFE_INTEGER))),
    createTime: readOnly(timestamp()),
  },
  list: {
    columns: [
      'name',
      'type',
      'parentId',
      'schoolCategory',
      'deviceCount',
      'personCount',
      'pushStatus',
      'paymentStatus',
      'promotionDate',
      'createTime',
    ],
    filters: ['name', 'type', 'parentId', 'ancestorId'],
    sort: 'name',
  },
  form: {
    basics: ['name', 'parentId', 'type', 'customerType', 'iotType', 'timeZone'],
    school: ['schoolCategory', 'schoolCode', 'autoPromotion', 'promotionDate'],
    devices: ['deviceKeyStatus', 'licenceRequired', 'autoIssue', 'fileServerUrl'],
    maintenance: ['maintenanceFrom', 'maintenanceTo', 'maintenanceDays'],
    modules: ['ownModules', 'unusedModules'],
    push: ['pushStatus', 'pushAddress', 'pushTypes'],
    payment: ['paymentStatus', 'merchantId', 'subMerchantId', 'institutionId'],
    messaging: ['miniProgram', 'messagingAuthorised', 'corpId'],
    largeScreen: ['largeScreenTitle', 'areaName'],
  },
  perms: {
    list: 'org:list:list',
    create: 'org:list:add',
    update: 'org:list:edit',
    remove: 'org:list:delete',
    export: 'org:list:export',
    import: 'org:list:import',
  },
  scope: 'organisation',
  palette: {
    tells: ['type', 'parentName', 'deviceCount'],
    opens: { path: '/org/view/:id', perm: 'org:list:list' },
  },
  actions: {
    move: {
      on: 'row',
      perm: 'org:tree:move',
      fields: { parentId: department('parentName') },
      answer: done,
      errors: [21053, 21054, 21055, 21056, 21062],
    },
  },
})

/** When devices may be worked on, for people to read. */
export const maintenanceHours = {
  /** With whose clocks show them. */
  hours: z.string(),
  /** Those on which it begins, Monday is 1; nothing where that is every day. */
  days: z.array(z.number().int()).nullable(),
  /** The organisations whose window it is, as far as the caller reaches; none where they all stand above that. */
  of: z.array(z.string()),
}
