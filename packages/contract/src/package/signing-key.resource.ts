import {
  defineResource,
  file,
  longText,
  mono,
  number,
  once,
  optional,
  readOnly,
  secret,
  text,
  timestamp,
  unsorted,
} from '../kit/index.ts'
import { department } from '../organisation/organisation.resource.ts'

/**
 * Whose signature the apps of an organisation bear. The key file holds a certificate and its private key, locked with the
 * key value; the value is never shown again.
 */
export const signingKey = defineResource({
  name: 'signingKey',
  wire: { path: '/api/v3/device/apk/secret' },
  fields: {
    name: text(64),
    departmentId: once(department()),
    departmentName: readOnly(text()),
    keyFile: file(64 * 1024, ['text']),
    keyValue: secret(1, 128),
    /** SHA-256 of the certificate: by it an app is known to be signed with this key. */
    fingerprint: readOnly(mono(64)),
    description: optional(longText(256)),
    apps: readOnly(unsorted(number(0, Number.MAX_SAFE_INTEGER))),
    createTime: readOnly(timestamp()),
  },
  list: {
    columns: ['name', 'departmentId', 'keyFile', 'fingerprint', 'apps', 'createTime', 'description'],
    filters: ['name', 'departmentId'],
    sort: 'name',
  },
  form: { basics: ['name', 'departmentId', 'description'], key: ['keyFile', 'keyValue'] },
  perms: {
    list: 'iot:apkSecret:list',
    create: 'iot:apkSecret:add',
    update: 'iot:apkSecret:edit',
    remove: 'iot:apkSecret:delete',
  },
  scope: 'organisation',
})
