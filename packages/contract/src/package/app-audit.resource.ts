import {
  choice,
  defineResource,
  done,
  longText,
  mono,
  number,
  optional,
  readOnly,
  text,
  timestamp,
} from '../kit/index.ts'
import { department } from '../organisation/organisation.resource.ts'
import { storeReason } from './app-package.resource.ts'
import { packageErrors } from './package.errors.ts'
import { storeMachine, storeStatus } from './store.machine.ts'

const { unpublished: _, ...audited } = storeStatus
const moves = (event: string) => ({
  moves: { machine: storeMachine, event, field: 'storeStatus', refusal: packageErrors.storeStateRefused },
})

/** An app that was submitted to the store, as those see it who decide about all of them. */
export const appAudit = defineResource({
  name: 'appAudit',
  wire: { path: '/api/v3/device/apk/audit' },
  fields: {
    appName: readOnly(text(255)),
    packageName: readOnly(mono(255)),
    version: readOnly(mono(128)),
    size: readOnly(number(0, Number.MAX_SAFE_INTEGER)),
    storeStatus: readOnly(
      choice([audited.unreviewed, audited.underReview, audited.published, audited.rejected, audited.takenDown]),
    ),
    storeReason: readOnly(optional(longText(256))),
    submitterName: readOnly(optional(text())),
    submitTime: readOnly(optional(timestamp())),
    reviewerName: readOnly(optional(text())),
    reviewTime: readOnly(optional(timestamp())),
    departmentId: readOnly(department()),
    departmentName: readOnly(text()),
  },
  list: {
    columns: [
      'appName',
      'packageName',
      'version',
      'submitterName',
      'departmentId',
      'submitTime',
      'storeStatus',
      'reviewerName',
      'reviewTime',
      'storeReason',
      'size',
    ],
    hidden: ['size', 'reviewTime'],
    filters: ['storeStatus', 'appName', 'departmentId', 'submitTime'],
    search: ['appName', 'packageName'],
    sort: '-submitTime',
  },
  perms: { list: 'iot:audit:list' },
  scope: 'platform',
  actions: {
    review: { on: 'row', perm: 'iot:audit:pass', ...moves('review'), answer: done },
    pass: { on: 'row', perm: 'iot:audit:pass', ...moves('pass'), answer: done },
    reject: {
      on: 'row',
      perm: 'iot:audit:reject',
      fields: { reason: storeReason() },
      ...moves('reject'),
      answer: done,
    },
    takeDown: {
      on: 'row',
      perm: 'iot:audit:offline',
      fields: { reason: storeReason() },
      ...moves('takeDown'),
      answer: done,
    },
  },
  menu: { key: 'appAudit', under: 'appGroup', url: '/IOT/apk/audit', icon: 'package' },
})
