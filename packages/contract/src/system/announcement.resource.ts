import {
  choice,
  defineResource,
  longText,
  optional,
  readOnly,
  startingWith,
  text,
  timestamp,
  toggle,
} from '../kit/index.ts'
import { department } from '../organisation/organisation.resource.ts'

/** A note to everybody of an organisation: told once in the notification centre, and on the home page while it is valid. */
export const announcement = defineResource({
  name: 'announcement',
  wire: { path: '/api/v1/announcement' },
  fields: {
    title: text(128),
    text: longText(5000),
    level: startingWith('info', choice(['info', 'important'])),
    departmentId: department(),
    departmentName: readOnly(text()),
    pinned: toggle(),
    validUntil: optional(timestamp()),
    creatorName: readOnly(optional(text())),
    createTime: readOnly(timestamp()),
  },
  list: {
    columns: ['title', 'level', 'departmentId', 'pinned', 'validUntil', 'creatorName', 'createTime'],
    filters: ['title', 'level', 'createTime'],
    sort: '-createTime',
  },
  form: { basics: ['title', 'text', 'level'], reach: ['departmentId', 'pinned', 'validUntil'] },
  perms: {
    list: 'notice:announcement:list',
    create: 'notice:announcement:add',
    update: 'notice:announcement:edit',
    remove: 'notice:announcement:delete',
    export: 'notice:announcement:export',
  },
  scope: 'organisation',
  menu: { key: 'announcements', under: 'system', url: '/system/announcement', icon: 'announcement' },
})
