import { z } from 'zod'
import {
  choice,
  defineResource,
  image,
  longText,
  mono,
  number,
  optional,
  readOnly,
  ref,
  text,
  timestamp,
  version,
} from '../kit/index.ts'
import { department } from '../organisation/organisation.resource.ts'
import { appCategory } from './app-category.resource.ts'

/** What anybody may know of an app in the store. */
const told = {
  icon: readOnly(optional(image(1024 * 1024))),
  appName: readOnly(text(255)),
  packageName: readOnly(mono(255)),
  version: readOnly(version(mono(128))),
  size: readOnly(number(0, Number.MAX_SAFE_INTEGER)),
  appCate: readOnly(ref(() => appCategory, 'appCateName')),
  appCateName: readOnly(text()),
  type: readOnly(choice(['private', 'public'])),
  installCount: readOnly(number(0, Number.MAX_SAFE_INTEGER)),
  /** Of the devices on which a release of it came to an end, how many in a hundred have it. */
  successRate: readOnly(optional(number(0, 100))),
  createTime: readOnly(timestamp()),
  description: readOnly(optional(longText(256))),
}

/** Apps of everybody that passed the audit, and those one's enterprise was permitted. */
export const storeApp = defineResource({
  name: 'storeApp',
  wire: { path: '/api/v3/device/apk/store' },
  fields: told,
  identity: 'appName',
  list: {
    columns: [
      'appName',
      'icon',
      'packageName',
      'version',
      'appCate',
      'type',
      'installCount',
      'successRate',
      'size',
      'description',
    ],
    filters: ['appName', 'appCate', 'type'],
    search: ['appName', 'packageName'],
    sort: 'appName',
  },
  perms: { list: 'iot:store:list' },
  scope: 'organisation',
  actions: {
    /** One's own from then on: kept, released and edited like one that was uploaded. */
    addToMine: {
      on: 'row',
      perm: 'iot:apk:add',
      fields: { departmentId: department() },
      answer: z.object({ id: z.number().int() }),
    },
  },
  menu: { key: 'appStore', under: 'appGroup', url: '/IOT/apk/store', icon: 'package' },
})

/** The same as the older console showed it: to be read and fetched. */
export const storeAppOld = defineResource({
  name: 'storeAppOld',
  wire: { path: '/api/v3/device/apk/storeOld' },
  fields: {
    appName: told.appName,
    version: told.version,
    size: told.size,
    createTime: told.createTime,
  },
  list: { columns: ['appName', 'version', 'size', 'createTime'], filters: ['appName'], sort: 'appName' },
  perms: { list: 'iot:storeOld:list' },
  scope: 'organisation',
  menu: { key: 'appStoreOld', under: 'appGroup', url: '/IOT/apk/storeOld', icon: 'package' },
})
