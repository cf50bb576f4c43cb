import {
  choice,
  colour,
  defineMachine,
  defineResource,
  dictionary,
  longText,
  optional,
  readOnly,
  startingWith,
  text,
  timestamp,
  when,
} from '../kit/index.ts'
import { department } from '../organisation/organisation.resource.ts'

/** What is released stands on devices until it is removed or its validity ends. */
export const promotionMachine = defineMachine({
  states: ['draft', 'released', 'removed', 'expired'],
  events: {
    release: { from: ['draft', 'released', 'removed', 'expired'], to: 'released' },
    remove: { from: ['released'], to: 'removed' },
    expire: { from: ['released'], to: 'expired' },
  },
})

/** Which devices it is meant for; the devices of a set are chosen when it is released. */
export const promotionRanges = ['all', 'category', 'devices'] as const

/** A line of text that devices show. */
export const promotion = defineResource({
  name: 'promotion',
  wire: { path: '/api/v3/device/promotion' },
  fields: {
    title: text(64),
    text: longText(256),
    status: readOnly(startingWith('draft', choice(promotionMachine.states))),
    range: startingWith('all', choice(promotionRanges)),
    deviceType: when({ field: 'range', is: ['category'] }, dictionary('deviceType')),
    validFrom: optional(timestamp()),
    validUntil: timestamp(),
    colour: optional(startingWith('#ffffff', colour())),
    speed: startingWith('normal', choice(['slow', 'normal', 'fast'])),
    departmentId: department(),
    departmentName: readOnly(text()),
    creatorName: readOnly(optional(text())),
    releaseTime: readOnly(optional(timestamp())),
    updateTime: readOnly(timestamp()),
    createTime: readOnly(timestamp()),
  },
  list: {
    columns: ['title', 'text', 'status', 'validUntil', 'range', 'departmentId', 'releaseTime', 'updateTime'],
    hidden: ['releaseTime'],
    card: ['text', 'status', 'validUntil'],
    filters: ['title', 'status', 'range', 'departmentId', 'validUntil'],
    sort: '-updateTime',
  },
  form: {
    basics: ['title', 'text', 'colour', 'speed'],
    reach: ['range', 'deviceType', 'validFrom', 'validUntil', 'departmentId'],
  },
  perms: {
    list: 'promotion:list:list',
    create: 'promotion:list:add',
    update: 'promotion:list:edit',
    remove: 'promotion:list:delete',
  },
  scope: 'organisation',
  menu: { key: 'promotions', under: 'iot', url: '/promotion/list', icon: 'announcement' },
  palette: { tells: ['status', 'validUntil', 'departmentName'] },
})
