import { z } from 'zod'
import {
  choice,
  defineResource,
  longText,
  mono,
  number,
  once,
  optional,
  readOnly,
  text,
  timestamp,
  unlisted,
  upload,
  version,
  when,
} from '../kit/index.ts'
import { department } from '../organisation/organisation.resource.ts'
import { releaseErrors } from '../release/release.errors.ts'

/** A whole system, or what differs from one version of it. */
export const firmwareTypes = ['full', 'differential'] as const
/** The list of permitted enterprises stays below that many characters. */
export const permitCharacters = 8192

/** A version of the system of one model, in a file whose name says what it is. */
export const firmware = defineResource({
  name: 'firmware',
  wire: { path: '/api/v3/device/ota/packages', listKey: 'otas', pageCode: releaseErrors.pageSizeWrong.code },
  fields: {
    /** Devices hold what was released, so another file is another package. */
    uploadId: unlisted(once(upload('firmware'))),
    name: readOnly(text(255)),
    model: readOnly(text(64)),
    firmwareVersion: version(readOnly(mono(128))),
    systemVersion: readOnly(mono(128)),
    wireless: readOnly(text(64)),
    packageVersion: readOnly(mono(128)),
    size: readOnly(number(1, Number.MAX_SAFE_INTEGER)),
    sha256: readOnly(mono(64)),
    type: once(choice(firmwareTypes)),
    /** The one version a differential package starts from. */
    base: when({ field: 'type', is: ['differential'] }, once(mono(128))),
    /** Ids of the enterprises whose devices may have it, besides its owner's; left out: all that its owner reaches. */
    permitEids: optional({ ...text(permitCharacters - 1), schema: z.string().regex(/^\d{1,15}(,\d{1,15})*$/) }),
    description: optional(longText(256)),
    departmentId: department(),
    departmentName: readOnly(text()),
    creatorName: readOnly(optional(text())),
    createTime: readOnly(timestamp()),
  },
  list: {
    columns: [
      'name',
      'model',
      'firmwareVersion',
      'systemVersion',
      'wireless',
      'size',
      'type',
      'base',
      'createTime',
      'departmentId',
      'creatorName',
      'sha256',
      'packageVersion',
      'permitEids',
      'description',
    ],
    hidden: ['base', 'departmentId', 'creatorName', 'sha256', 'packageVersion', 'permitEids'],
    card: ['model', 'firmwareVersion', 'size', 'createTime'],
    filters: ['name', 'model', 'firmwareVersion', 'type', 'departmentId', 'createTime'],
    sort: '-createTime',
  },
  form: { basics: ['uploadId', 'type', 'base', 'departmentId', 'permitEids', 'description'] },
  perms: {
    list: 'iot:ota:list',
    create: 'iot:ota:add',
    update: 'iot:ota:edit',
    remove: 'iot:ota:delete',
  },
  scope: 'organisation',
  menu: { key: 'firmware', under: 'otaGroup', url: '/IOT/ota/list', icon: 'package' },
  palette: { by: ['name'], tells: ['model', 'firmwareVersion', 'departmentName'] },
})
