import {
  type ActionCall,
  AppError,
  commonErrors,
  type Draft,
  downloadPoster,
  organisationType,
  type Patch,
  type PosterImageType,
  poster,
  posterErrors,
  posterImageType,
  posterMaxBytes,
  posterReleaseType,
  promotionMachine,
} from '@campanile/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import type { Call } from '../../kit/call.ts'
import { ownerPath } from '../../kit/department.ts'
import { mountPlain, plainTable } from '../../kit/plain.ts'
import { findRow, insertRow, removeRows, updateRow } from '../../kit/rows.ts'
import { inScope } from '../../kit/scope.ts'
import { source } from '../../kit/table.ts'
import type { Db } from '../../platform/db.ts'
import { readPicture } from '../../platform/picture.ts'
import type { Services } from '../../services.ts'
import type { FileRoom } from '../file/index.ts'
import type { KindRules, ReleaseItem } from '../release/index.ts'
import { type Meant, moment, refuseBackwards, refuseOthers, refuseOver, refuseShown, setStatus } from './shown.ts'

const posters = plainTable(poster, { columns: { fileUrl: sql`${`${downloadPoster.path}?id=`} || t.id` } })

/** In whose name somebody acts who stands at a path: the installation's, an integrator's, or an enterprise's. */
const identityAt = (path: RawBuilder<unknown>) => sql<string>`coalesce((select case
    when nlevel(owner.path) = 1 then 'platform' when owner.type = ${organisationType.si} then 'si' end
  from department owner where owner.path = ${ownerPath(path)}), 'enterprise')`

/** Who manages posters in several names chooses one by entering an organisation. */
const mustBeOne = async (db: Db, { paths }: Scope) => {
  const { rows } = await sql`select distinct ${identityAt(sql`at::ltree`)} as identity
    from unnest(${paths}::text[]) at`.execute(db)
  if (rows.length > 1) throw new AppError(posterErrors.severalIdentities)
}

const sourceOf = async (db: Db, departmentId: number): Promise<string> =>
  (
    await sql<{ source: string }>`select ${identityAt(sql`d.path`)} as source from department d
      where d.id = ${departmentId}`.execute(db)
  ).rows[0]?.source ?? 'enterprise'

interface Picture extends ReleaseItem, Meant {
  readonly bytes: number
  readonly text: string
  readonly status: (typeof promotionMachine.states)[number]
  readonly contentId: number
  readonly fileName: string
  readonly sha256: string
  readonly imageType: PosterImageType
  readonly position: number
  readonly priority: 'low' | 'normal' | 'high'
  readonly validFrom: string | null
  readonly validUntil: string
}
const findPicture = async (db: Db, scope: Scope | undefined, id: number): Promise<Picture | undefined> => {
  const reached = scope ? inScope(posters, scope) : sql<SqlBool>`true`
  return (
    await sql<Picture>`select t.id, t.title as name, null as version, t.size as bytes, t.text, t.status,
        t.range, t.device_type as "deviceType",
        t.content_id as "contentId", t.file_name as "fileName", t.sha_256 as sha256, t.image_type as "imageType",
        t.position, t.priority, t.valid_from as "validFrom", t.valid_until as "validUntil"
      from ${source(posters)} where t.id = ${id} and ${reached}`.execute(db)
  ).rows[0]
}

const setReleaseType = (tx: Db, id: number, type: number) =>
  sql`update poster set release_type = ${type} where id = ${id}`.execute(tx)

/** Devices that are away get a fresh link with the batch they are told in; this one outlasts what a device waits. */
const linkSeconds = 24 * 3600

/** How posters are released. */
export const posterRules = ({ linkFor }: Pick<FileRoom, 'linkFor'>): KindRules<Picture> => ({
  find: findPicture,
  check: (_db, { status, validUntil }, { action }) => {
    if (action === 'show') refuseOver(validUntil)
    else if (!promotionMachine.can(status, 'remove')) throw new AppError(posterErrors.notReleased)
  },
  refuse: async (_db, item, devices, { action }) => refuseOthers(item, devices, action),
  command: (_db, item, { action, options: { wifiOnly, bytesPerSecond } }) => {
    const { id, name, text, contentId, fileName, bytes, sha256, imageType, position, priority } = item
    if (action === 'hide') return { command: 'removePoster', args: { posterId: id } }
    const url = linkFor(contentId, Date.now() / 1000 + linkSeconds)
    return {
      command: 'showPoster',
      args: {
        posterId: id,
        title: name,
        text,
        file: { url, size: bytes, sha256, name: fileName },
        imageType,
        position,
        priority,
        ...(item.validFrom !== null && { validFrom: moment(item.validFrom) }),
        validUntil: moment(item.validUntil),
        ...(wifiOnly !== undefined && { wifiOnly }),
        ...(bytesPerSecond !== undefined && { bytesPerSecond }),
      },
    }
  },
  after: async (tx, { id }, event, { action }) => {
    if (event !== 'created') return
    await setStatus(tx, 'poster', id, action === 'show' ? 'release' : 'remove')
    await setReleaseType(tx, id, action === 'show' ? posterReleaseType.release : posterReleaseType.remove)
  },
})

/** Changes places with the one before or behind it in the list of its department. */
const move = async ({ db, scope, input, note }: Call<ActionCall<typeof poster, 'moveUp'>>, by: -1 | 1) => {
  const { title, position, departmentId } = await findRow(db, posters, scope, input.id)
  const { rows } = await sql<{ id: number; position: number }>`select id, position from poster
    where department_id = ${departmentId} and id <> ${input.id}
      and ${by < 0 ? sql`(position, id) < (${position}, ${input.id})` : sql`(position, id) > (${position}, ${input.id})`}
    order by ${by < 0 ? sql`position desc, id desc` : sql`position, id`} limit 1 for update`.execute(db)
  const [next] = rows
  note({ description: title })
  if (!next) return { done: 0 }
  // Two that stand at the same place have none to change: this one takes the next.
  const place = next.position === position ? Math.min(99, Math.max(1, position + by)) : next.position
  await sql`update poster set position = ${place}, update_time = now() where id = ${input.id}`.execute(db)
  if (next.position !== position) await sql`update poster set position = ${position} where id = ${next.id}`.execute(db)
  return { done: 1 }
}

export const mountPosters = ({ kit }: Services, file: Pick<FileRoom, 'takeUpload' | 'contentFor' | 'sendContent'>) => {
  const create = async (call: Call<Draft<typeof poster>>) => {
    const { db, scope, note } = call
    const { uploadId, ...draft } = call.input
    await mustBeOne(db, scope)
    refuseBackwards(draft.validFrom, draft.validUntil)
    const { contentId, name, size, sha256, readAt } = await file.takeUpload(
      call,
      uploadId,
      'poster',
      draft.departmentId,
    )
    if (size > posterMaxBytes) throw new AppError(posterErrors.tooLarge)
    const picture = readPicture(await readAt(0, size))
    if (!picture) throw new AppError(posterErrors.formatWrong)
    const imageType = posterImageType(picture.width, picture.height)
    if (!imageType) throw new AppError(posterErrors.resolutionWrong)
    const also = { contentId, fileName: name, size, sha256, imageType, source: await sourceOf(db, draft.departmentId) }
    note({ description: draft.title })
    return { id: await insertRow(db, posters, scope, draft, also) }
  }

  const update = async (call: Call<Patch<typeof poster>>) => {
    const { db, scope, input } = call
    await mustBeOne(db, scope)
    const before = await findRow(db, posters, scope, input.id)
    await refuseShown(db, 'poster', [input.id])
    const from = input.validFrom === undefined ? before.validFrom : input.validFrom
    refuseBackwards(from, input.validUntil ?? before.validUntil)
    await updateRow(call, posters, input, {
      updateTime: new Date().toISOString(),
      ...(input.departmentId && { source: await sourceOf(db, input.departmentId) }),
    })
    if (input.departmentId) {
      const { contentId } = (await findPicture(db, scope, input.id)) as Picture
      const own = await file.contentFor(db, contentId, input.departmentId)
      await sql`update poster set content_id = ${own} where id = ${input.id}`.execute(db)
    }
    return {}
  }

  const remove = async ({ db, scope, input, note }: Call<number[]>) => {
    await mustBeOne(db, scope)
    await refuseShown(db, 'poster', input)
    const names = await removeRows(db, posters, scope, input)
    note({ description: names.join(', ') })
    return { removed: names.length }
  }

  mountPlain(kit, posters, {
    create,
    update,
    remove,
    actions: { moveUp: (call) => move(call, -1), moveDown: (call) => move(call, 1) },
  })

  kit.guarded(downloadPoster, 'poster', async ({ db, scope, input, note }) => {
    const found = await findPicture(db, scope, input.id)
    if (!found) throw new AppError(commonErrors.resourceNotFound, { id: input.id })
    note({ description: found.name })
    return file.sendContent(db, found.contentId, found.fileName)
  })
}
