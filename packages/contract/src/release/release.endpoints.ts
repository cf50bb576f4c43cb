import { z } from 'zod'
import { refusedReasons } from '../command/task.resource.ts'
import { device } from '../device/device.resource.ts'
import { devicesMax, serialMax, serialNumber } from '../device/facts.ts'
import { deviceGroup } from '../device/group.resource.ts'
import { anyObject, defineEndpoint, idInQuery, idOf, rowOf } from '../kit/index.ts'
import { organisation } from '../organisation/organisation.resource.ts'
import { releaseKindSpec, releaseKinds } from './release.kinds.ts'
import { waveStates } from './release.machine.ts'
import { installModes, releaseModes, releaseOptions, releaseZones } from './release.options.ts'
import { release } from './release.resource.ts'

/** Serials, a group, whatever the device list's filter matches less what was unticked, or all of a department. */
const target = z.strictObject({
  sns: z.array(z.string().regex(serialNumber).max(serialMax)).optional(),
  groupId: idOf(() => deviceGroup).optional(),
  filter: anyObject.optional(),
  except: z
    .array(idOf(() => device))
    .max(devicesMax)
    .optional(),
  departmentId: idOf(() => organisation).optional(),
})
export type ReleaseTarget = z.output<typeof target>
const releaseTargetsMax = 20

/** What is released, to whom and how. */
export const releaseOrder = {
  kind: z.enum(releaseKinds),
  itemId: idOf('releaseItem'),
  /** One of its kind's; absent: the first. */
  action: z.string().max(32).optional(),
  /** Each device once, however often it is named. */
  targets: z.array(target).max(releaseTargetsMax),
  /** Serial numbers that are left out: those a preview named. */
  without: z.array(z.string().max(serialMax)).max(devicesMax).optional(),
  mode: z.enum(releaseModes),
  /** A moment, or with `zone` a time without its distance from UTC, by the clocks of whoever `zone` says. */
  beginTime: z.iso.datetime({ local: true, offset: true }).optional(),
  zone: z.enum(releaseZones).optional(),
  installMode: z.enum(installModes).optional(),
  /** What its kind asks for beside: its `fields`. */
  given: anyObject.optional(),
  options: releaseOptions.default({}),
} as const

const permOfKind = ({ kind }: Readonly<Record<string, unknown>>) => releaseKindSpec(String(kind))?.perms.release

/** As many of each list as a preview names. */
export const releasePreviewed = 12
const named = z.array(z.object({ name: z.string(), devices: z.number().int() }))

/** Who would be hit, who would not and why, and how it would go on, before anybody is told. */
export const previewRelease = defineEndpoint({
  name: 'previewRelease',
  method: 'POST',
  path: '/api/v3/release/preview',
  perm: 'signedIn',
  scope: 'organisation',
  permOf: permOfKind,
  heavy: true,
  quiet: true,
  input: z.strictObject({
    ...releaseOrder,
    /** Codes of reasons of which every device is named, not only the first. */
    named: z.array(z.number().int()).max(50).optional(),
  }),
  answer: z.object({
    item: z.object({ name: z.string(), version: z.string().nullable(), bytes: z.number().int().nullable() }),
    total: z.number().int(),
    receiving: z.number().int(),
    /** Of them. */
    online: z.number().int(),
    /** Of them, with the most first. */
    models: named,
    organisations: named,
    refused: refusedReasons,
    /** Of those that are refused: it has that version already. */
    current: z.number().int(),
    /** All that devices would fetch; null where nothing is fetched. */
    bytes: z.number().int().nullable(),
    /** From the first word to the last end, if nobody is late; null where it waits for devices to come. */
    minutes: z.number().int().nullable(),
    waves: z.array(z.object({ devices: z.number().int(), bakeMinutes: z.number().int() })),
    /** When the first of them is told. */
    beginTime: z.string().nullable(),
    /** The first of those that receive it. */
    first: z.array(z.object({ sn: z.string(), departmentName: z.string(), online: z.boolean() })),
    /** All that holds: what was said, and for the rest what its kind says. */
    options: releaseOptions,
  }),
})

const made = { id: z.number().int(), number: z.string(), total: z.number().int() }
export const createRelease = defineEndpoint({
  name: 'createRelease',
  method: 'POST',
  path: '/api/v3/release/create',
  perm: 'signedIn',
  scope: 'organisation',
  permOf: permOfKind,
  heavy: true,
  input: z.strictObject({
    ...releaseOrder,
    /** Those that cannot take it are left out, instead of refusing all. */
    partly: z.boolean().optional(),
    description: z.string().trim().max(256).optional(),
  }),
  answer: z.object({
    ...made,
    /** How many were left out. */
    refused: z.number().int(),
    refusedReasons: refusedReasons.exactOptional(),
    /** Where devices of several enterprises were meant: a release for each, of which the first is named above. */
    releases: z.array(z.object(made)).exactOptional(),
  }),
})

/** As many devices as each reason of failure names. */
export const failedNamed = 20
export const releaseDetail = defineEndpoint({
  name: 'releaseDetail',
  method: 'GET',
  path: '/api/v3/release/detail',
  perm: 'release:list:detail',
  scope: 'organisation',
  input: z.strictObject({ id: idInQuery(() => release) }),
  answer: z.object({
    row: rowOf(() => release),
    /** All that holds of it. */
    options: releaseOptions,
    /** What was said of its kind alone. */
    given: anyObject,
    /**
     * The figures behind the reason it stands still, as far as they apply: `failed`, `succeeded`, `unhealthy`, `size` (of the
     * wave), and what was allowed or needed as `limit` (so many) or `percent` (such a share).
     */
    because: z.record(z.string(), z.number()),
    /** An action undoes it. */
    undoable: z.boolean(),
    waves: z.array(
      z.object({
        wave: z.number().int(),
        state: z.enum(waveStates),
        /** As it was ordered: so many, or up to this share. */
        devices: z.number().int().nullable(),
        percent: z.number().int().nullable(),
        size: z.number().int(),
        told: z.number().int(),
        open: z.number().int(),
        succeeded: z.number().int(),
        failed: z.number().int(),
        cancelled: z.number().int(),
        bakeMinutes: z.number().int(),
        beginTime: z.string().nullable(),
        /** When all of it had ended. */
        endTime: z.string().nullable(),
        bakeUntil: z.string().nullable(),
      }),
    ),
    /** Why devices failed, the most frequent first: a word of ours, and what the first of them said beside it. */
    reasons: z.array(
      z.object({
        reason: z.string(),
        detail: z.string().nullable(),
        count: z.number().int(),
        sns: z.array(z.string()),
      }),
    ),
    /** How far those that download are, on average. */
    percent: z.number().nullable(),
    /** When the next of those that failed is tried again. */
    nextTry: z.string().nullable(),
    /** Steps within the last minute. */
    stepsPerMinute: z.number().int(),
  }),
})

export const releaseEndpoints = [previewRelease, createRelease, releaseDetail]

/**
 * On the live connection: who says `{ type: 'watchRelease', id }` hears `{ type: 'release', id }` whenever something of it
 * has changed, at most once a second, as long as they may read it; `id: null` ends it.
 */
export const releaseLive = { watch: 'watchRelease', told: 'release' } as const
