import {
  defineResource,
  longText,
  mono,
  names,
  number,
  once,
  optional,
  readOnly,
  startingWith,
  timestamp,
  toggle,
} from '../kit/index.ts'

/** One code of an editable code table; its names are what people read. Codes the product knows cannot be removed. */
export const dictionaryItem = defineResource({
  name: 'dictionaryItem',
  wire: { path: '/api/v1/dictionary' },
  fields: {
    dictionary: once(mono(64, /^[A-Za-z][A-Za-z0-9]*$/)),
    code: once(number(0, 999)),
    label: names(64),
    orderNum: startingWith(0, number(0, 999)),
    enabled: toggle(true),
    remark: optional(longText(256)),
    builtIn: readOnly(toggle()),
    updateTime: readOnly(timestamp()),
  },
  identity: 'label',
  list: {
    columns: ['label', 'dictionary', 'code', 'orderNum', 'enabled', 'builtIn', 'updateTime'],
    filters: ['dictionary', 'enabled'],
    sort: 'dictionary',
  },
  form: { basics: ['dictionary', 'code', 'label', 'orderNum', 'enabled', 'remark'] },
  perms: {
    list: 'system:config:list',
    create: 'system:config:edit',
    update: 'system:config:edit',
    remove: 'system:config:edit',
    export: 'system:config:list',
  },
  scope: 'platform',
})
