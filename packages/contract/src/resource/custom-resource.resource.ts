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
} from '../kit/index.ts'
import { department } from '../organisation/organisation.resource.ts'

/** A file with a name that people bring to devices: a configuration, a picture, a certificate, a script. */
export const customResource = defineResource({
  name: 'customResource',
  wire: { path: '/api/v3/device/rcm/resource' },
  fields: {
    name: text(128),
    type: choice(['configuration', 'media', 'certificate', 'script', 'data', 'other']),
    /** Devices hold what was released, so another file is another resource. */
    uploadId: unlisted(once(upload('resource'))),
    fileName: readOnly(text(255)),
    size: readOnly(number(1, Number.MAX_SAFE_INTEGER)),
    sha256: readOnly(mono(64)),
    description: optional(longText(256)),
    departmentId: department(),
    departmentName: readOnly(text()),
    creatorName: readOnly(optional(text())),
    createTime: readOnly(timestamp()),
  },
  list: {
    columns: ['name', 'type', 'fileName', 'size', 'sha256', 'creatorName', 'createTime', 'departmentId', 'description'],
    hidden: ['sha256'],
    filters: ['name', 'type', 'departmentId', 'createTime'],
    sort: '-createTime',
  },
  form: { basics: ['uploadId', 'name', 'type', 'departmentId', 'description'] },
  perms: {
    list: 'custom:resource:list',
    create: 'custom:resource:add',
    update: 'custom:resource:edit',
    remove: 'custom:resource:delete',
  },
  scope: 'organisation',
})
