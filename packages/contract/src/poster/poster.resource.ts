import {
  choice,
  defineResource,
  dictionary,
  doneToRows,
  longText,
  mono,
  number,
  once,
  optional,
  readOnly,
  startingWith,
  text,
  timestamp,
  unlisted,
  unsorted,
  untold,
  upload,
  when,
} from '../kit/index.ts'
import { department } from '../organisation/organisation.resource.ts'
import { posterImageTypes } from './poster.picture.ts'
import { promotionMachine, promotionRanges } from './promotion.resource.ts'

/** Of a poster's last release: none yet, shown on devices, taken from them. */
export const posterReleaseType = { undefined: 0, release: 1, remove: 2 } as const

/** In whose name it is shown: the platform's, an integrator's or an enterprise's. */
export const posterSources = ['platform', 'si', 'enterprise'] as const

/** A picture that devices show in turn with others. */
export const poster = defineResource({
  name: 'poster',
  wire: { path: '/api/v3/device/sliders' },
  fields: {
    title: text(64),
    /** Where its picture is fetched. */
    fileUrl: readOnly(unsorted(mono(256))),
    text: longText(256),
    /** Devices hold the picture that was released, so another picture is another poster. */
    uploadId: unlisted(once(upload('poster'))),
    fileName: readOnly(text(255)),
    size: readOnly(number(1, Number.MAX_SAFE_INTEGER)),
    sha256: untold(readOnly(mono(64))),
    imageType: readOnly(choice(posterImageTypes)),
    status: readOnly(startingWith('draft', choice(promotionMachine.states))),
    releaseType: readOnly(
      startingWith(0, choice([posterReleaseType.undefined, posterReleaseType.release, posterReleaseType.remove])),
    ),
    /** Lower ones are shown first. */
    position: startingWith(1, number(1, 99)),
    priority: startingWith('normal', choice(['low', 'normal', 'high'])),
    range: startingWith('all', choice(promotionRanges)),
    deviceType: when({ field: 'range', is: ['category'] }, dictionary('deviceType')),
    validFrom: optional(timestamp()),
    validUntil: timestamp(),
    source: readOnly(choice(posterSources)),
    departmentId: department(),
    departmentName: readOnly(text()),
    creatorName: readOnly(optional(text())),
    releaseTime: readOnly(optional(timestamp())),
    updateTime: readOnly(timestamp()),
    /** When its picture was sent. */
    createTime: readOnly(timestamp()),
  },
  list: {
    columns: [
      'title',
      'fileUrl',
      'status',
      'position',
      'releaseType',
      'range',
      'imageType',
      'validUntil',
      'priority',
      'source',
      'size',
      'createTime',
      'releaseTime',
      'departmentId',
    ],
    hidden: ['releaseType', 'source', 'departmentId'],
    card: ['status', 'imageType', 'validUntil'],
    filters: ['title', 'status', 'imageType', 'range', 'releaseType', 'departmentId', 'validUntil'],
    sort: 'position',
  },
  form: {
    basics: ['uploadId', 'title', 'text', 'position', 'priority'],
    reach: ['range', 'deviceType', 'validFrom', 'validUntil', 'departmentId'],
  },
  perms: {
    list: 'slider:list:list',
    create: 'slider:list:add',
    update: 'slider:list:edit',
    remove: 'slider:list:delete',
  },
  scope: 'organisation',
  menu: { key: 'posters', under: 'iot', url: '/slider/list', icon: 'file', also: ['slider:result'] },
  palette: { tells: ['status', 'validUntil', 'departmentName'] },
  actions: {
    /** Before, or behind, the one it stands next to. */
    moveUp: { on: 'row', perm: 'slider:list:edit', answer: doneToRows },
    moveDown: { on: 'row', perm: 'slider:list:edit', answer: doneToRows },
  },
})
