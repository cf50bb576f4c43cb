import { defineResource, image, mono, number, optional, readOnly, text, timestamp, unsorted } from '../kit/index.ts'

/** What apps are for. The installation has one list of them, which everybody's apps and the store are sorted by. */
export const appCategory = defineResource({
  name: 'appCategory',
  wire: { path: '/api/v3/device/apk/category' },
  fields: {
    name: text(64),
    /** How programs call it: `catering`, `finance/pos`. */
    path: optional(mono(64, /^[a-z0-9]+([-/][a-z0-9]+)*$/)),
    image: optional(image(512 * 1024)),
    apps: readOnly(unsorted(number(0, Number.MAX_SAFE_INTEGER))),
    createTime: readOnly(timestamp()),
  },
  list: {
    columns: ['name', 'image', 'path', 'apps', 'createTime'],
    filters: ['name'],
    sort: 'name',
  },
  form: { basics: ['name', 'path', 'image'] },
  perms: {
    list: 'iot:category:list',
    create: 'iot:category:add',
    update: 'iot:category:edit',
    remove: 'iot:category:delete',
  },
  scope: 'platform',
  menu: { key: 'appCategories', under: 'appGroup', url: '/IOT/apk/category', icon: 'package' },
})
