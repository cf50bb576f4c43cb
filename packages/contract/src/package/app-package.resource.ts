import {
  answering,
  choice,
  defineResource,
  done,
  image,
  lines,
  longText,
  mono,
  number,
  once,
  optional,
  readOnly,
  ref,
  startingWith,
  text,
  timestamp,
  toggle,
  unlisted,
  untold,
  upload,
  version,
} from '../kit/index.ts'
import { department } from '../organisation/organisation.resource.ts'
import { appCategory } from './app-category.resource.ts'
import { packageErrors } from './package.errors.ts'
import { permittedEnterprises } from './permitted.ts'
import { signingKey } from './signing-key.resource.ts'
import { storeMachine, storeStatus } from './store.machine.ts'

const count = () => number(0, Number.MAX_SAFE_INTEGER)
/** Why it was rejected or taken down. */
export const storeReason = () => answering({ missing: packageErrors.reasonRequired.code }, longText(256))

/** One version of an app. What it says of itself is read from its file and cannot be changed. */
export const appPackage = defineResource({
  name: 'appPackage',
  wire: { path: '/api/v3/device/apk/packages', listKey: 'apks', pageCode: packageErrors.pageSizeWrong.code },
  fields: {
    file: unlisted(once(upload('package'))),
    icon: readOnly(optional(image(1024 * 1024))),
    appName: readOnly(text(255)),
    packageName: readOnly(mono(255)),
    version: readOnly(version(mono(128))),
    /** Decides which of two versions is newer. */
    versionCode: readOnly(mono(20)),
    size: readOnly(count()),
    sha256: readOnly(untold(mono(64))),
    /** SHA-256 of the certificate it is signed with; empty where it bears no signature that holds. */
    signer: readOnly(optional(mono(64))),
    minSdk: readOnly(optional(number(0, 100_000))),
    permissions: readOnly(untold(lines())),
    appCate: ref(() => appCategory, 'appCateName'),
    appCateName: readOnly(text()),
    type: startingWith('private', choice(['private', 'public'])),
    permitEids: optional(permittedEnterprises()),
    appPushShop: toggle(),
    storeStatus: readOnly(startingWith(storeStatus.unpublished, choice(storeMachine.states))),
    storeReason: readOnly(optional(longText(256))),
    publishCount: readOnly(count()),
    installCount: readOnly(count()),
    image: optional(image()),
    signingKeyId: optional(ref(() => signingKey, 'signingKeyName')),
    signingKeyName: readOnly(optional(text())),
    departmentId: once(department()),
    departmentName: readOnly(text()),
    creatorName: readOnly(optional(text())),
    createTime: readOnly(timestamp()),
    description: optional(longText(256)),
  },
  identity: 'appName',
  list: {
    columns: [
      'appName',
      'icon',
      'packageName',
      'version',
      'size',
      'type',
      'appCate',
      'storeStatus',
      'storeReason',
      'publishCount',
      'installCount',
      'departmentId',
      'creatorName',
      'createTime',
      'description',
      'versionCode',
      'signer',
      'minSdk',
      'signingKeyId',
    ],
    hidden: ['storeReason', 'departmentId', 'description', 'versionCode', 'signer', 'minSdk', 'signingKeyId'],
    card: ['packageName', 'version', 'storeStatus'],
    filters: ['appName', 'packageName', 'type', 'appCate', 'storeStatus', 'version', 'departmentId', 'createTime'],
    search: ['appName', 'packageName'],
    sort: '-createTime',
  },
  form: {
    basics: ['file', 'appCate', 'departmentId', 'image', 'description'],
    reach: ['type', 'permitEids', 'appPushShop', 'signingKeyId'],
  },
  perms: {
    list: 'iot:apk:list',
    create: 'iot:apk:add',
    update: 'iot:apk:edit',
    remove: 'iot:apk:delete',
  },
  scope: 'organisation',
  palette: { tells: ['packageName', 'version'] },
  actions: {
    submit: {
      on: 'row',
      perm: 'iot:apk:submit',
      moves: { machine: storeMachine, event: 'submit', field: 'storeStatus', refusal: packageErrors.storeStateRefused },
      answer: done,
    },
    takeDown: {
      on: 'row',
      perm: 'iot:apk:submit',
      fields: { reason: storeReason() },
      moves: {
        machine: storeMachine,
        event: 'takeDown',
        field: 'storeStatus',
        refusal: packageErrors.storeStateRefused,
      },
      answer: done,
    },
  },
  menu: { key: 'apps', under: 'appGroup', url: '/IOT/apk/list', icon: 'package' },
})
