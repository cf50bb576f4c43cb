import {
  answering,
  choice,
  choices,
  date,
  defineResource,
  done,
  image,
  ipList,
  linked,
  mobile,
  once,
  optional,
  personal,
  readOnly,
  ref,
  refs,
  secret,
  startingWith,
  text,
  timestamp,
  toggle,
  unsorted,
} from '../kit/index.ts'
import { department } from '../organisation/organisation.resource.ts'
import { photoMaxBytes } from './facts.ts'
import { role } from './role.resource.ts'

/** behaviour: people.types */
export const userType = { super: 0, safetyOfficer: 1, operator: 2, auditor: 3 } as const
/** What a person reads, computed from lock, switch and validity (behaviour: sign-in.state). */
export const loginStates = ['normal', 'locked', 'disabled', 'expired'] as const

/** What decides about a person is decided by somebody else, never by the person (V2). */
export const notByOneself = [
  'roleIds',
  'type',
  'departmentId',
  'whitelistIp',
  'validStart',
  'validEnd',
  'password',
  'mobile',
] as const

/** An administrator. Locks, two-factor and passwords change by action; the row only describes the person. */
export const user = defineResource({
  name: 'user',
  wire: { path: '/api/v1/oauth/users', listKey: 'sysUser', idsKey: 'userIds' },
  fields: {
    username: once(answering({ missing: 21254, wrong: 21271 }, text(128))),
    realName: personal(text(64)),
    departmentId: answering({ missing: 21264 }, department()),
    departmentName: readOnly(text()),
    roleIds: answering({ missing: 21263 }, unsorted(linked(refs(() => role, 'roleNames', 50)))),
    roleNames: readOnly(unsorted(text())),
    type: startingWith(2, choice([0, 1, 2, 3])),
    mobile: optional(answering(21265, personal(mobile()))),
    photo: optional(personal(image(photoMaxBytes))),
    sex: startingWith(0, choice([0, 1, 2])),
    password: answering({ missing: 21253 }, secret(8, 64)),
    whitelistIp: optional(answering(21262, ipList())),
    validStart: optional(date()),
    validEnd: optional(date()),
    notifyType: optional(choices([1, 2, 3, 4])),
    loginStatus: readOnly(unsorted(choice(loginStates))),
    enable2fa: readOnly(toggle()),
    /** Its owner is asked to set it up at the next sign-in. */
    twoFactorWanted: readOnly(toggle()),
    lastLogin: readOnly(optional(timestamp())),
    isDefault: readOnly(toggle()),
    createTime: readOnly(timestamp()),
  },
  label: 'realName',
  list: {
    columns: [
      'username',
      'realName',
      'photo',
      'departmentId',
      'roleIds',
      'type',
      'mobile',
      'loginStatus',
      'enable2fa',
      'validEnd',
      'lastLogin',
      'createTime',
    ],
    hidden: ['photo', 'mobile', 'createTime'],
    filters: ['username', 'realName', 'departmentId', 'roleIds', 'type', 'loginStatus'],
    search: ['username', 'realName', 'mobile'],
    sort: 'username',
  },
  palette: { tells: ['realName', 'departmentName', 'loginStatus'] },
  form: {
    account: ['username', 'realName', 'password'],
    place: ['departmentId', 'type', 'roleIds'],
    person: ['photo', 'mobile', 'sex', 'notifyType'],
    access: ['whitelistIp', 'validStart', 'validEnd'],
  },
  perms: {
    list: 'system:user:list',
    create: 'system:user:add',
    update: 'system:user:edit',
    remove: 'system:user:delete',
    export: 'system:user:export',
    import: 'system:user:add',
  },
  scope: 'organisation',
  actions: {
    resetPassword: {
      on: 'row',
      perm: 'system:user:resetPwd',
      fields: { password: secret(8, 64) },
      answer: done,
      errors: [21266, 21269],
    },
    unlock: { on: 'row', perm: 'system:user:unlock', answer: done },
    enable: { on: 'row', perm: 'system:user:edit', answer: done },
    disable: { on: 'row', perm: 'system:user:edit', answer: done, errors: [21256] },
    /** The owner sets it up at the next sign-in; nobody else ever sees the secret. */
    requireTwoFactor: { on: 'row', perm: 'system:user:twofa', answer: done, errors: [21018, 21020] },
    resetTwoFactor: { on: 'row', perm: 'system:user:twofa', answer: done, errors: [21018] },
  },
})

/** Somebody, and several of them, as the rows of other rooms name them; `nameField` is the row's field with the name to show. */
export const person = (nameField?: string) => ref(() => user, nameField)
export const people = (nameField?: string, max?: number) => refs(() => user, nameField, max)
