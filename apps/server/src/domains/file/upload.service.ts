import {
  AppError,
  commonErrors,
  endsAsWanted,
  fileErrors,
  type UploadPurposeName,
  type UploadView,
  uploadKeptHours,
  uploadPartBytes,
  uploadPurpose,
  uploadsUnderWay,
} from '@campanile/contract'
import { type Actor, scopeFor } from '../../kit/actor.ts'
import type { Call } from '../../kit/call.ts'
import type { Sent } from '../../kit/upload/index.ts'
import type { Db } from '../../platform/db.ts'
import { fenced } from '../../platform/fence.ts'
import {
  digestOf,
  FileGone,
  PartDamaged,
  PartGone,
  PartLengthWrong,
  partCount,
  partLength,
  readBytes,
} from '../../platform/parts.ts'
import type { Services } from '../../services.ts'
import { headBytes, judge, mustFitPurpose, mustKeepPromise, tailBytes } from './judge.ts'
import {
  addPart,
  completeUpload,
  deleteUpload,
  discard,
  dropUntouched,
  dropUnused,
  enterpriseAt,
  enterpriseOfDepartment,
  findContent,
  findDiscarded,
  findPending,
  findUnnamed,
  findUpload,
  forgetDiscarded,
  forgetPart,
  holdContent,
  insertUpload,
  keepContent,
  lockEnterprise,
  lockUpload,
  resumeUpload,
  type Upload,
  weighEnterprise,
} from './upload.store.ts'

/** One person's parts that may come at the same time: each takes a place on the disk before it is counted. */
const partsAtOnce = 16
/** Left free on the disk: the database that may lie beside the files must go on. */
const spareBytes = 256 * 1024 * 1024
const gibibyte = 1024 ** 3

const sized = (bytes: number) =>
  bytes >= gibibyte ? `${Math.round(bytes / gibibyte)} GB` : `${Math.round(bytes / 1024 ** 2)} MB`
const notFound = () => new AppError(fileErrors.uploadNotFound)
const isDiskFull = (error: unknown) => ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')

const viewOf = ({ id, purpose, name, size, sha256, state, instant, partBytes, received }: Upload): UploadView => {
  const chunkCount = partCount({ size, partBytes })
  return {
    id,
    purpose,
    name,
    size,
    sha256,
    state,
    instant,
    chunkSize: partBytes,
    chunkCount,
    received: state === 'complete' ? Array.from({ length: chunkCount }, (_, part) => part) : received,
  }
}

const mustHold = (actor: Actor, purpose: UploadPurposeName) => {
  const permission = uploadPurpose(purpose)?.perm
  if (!permission || !scopeFor(actor, permission))
    throw new AppError(commonErrors.noPermission, { permission: permission ?? purpose })
}

export interface Begun {
  readonly purpose: UploadPurposeName
  readonly name: string
  readonly size: number
  readonly sha256: string
}

/** A file that a room has taken for a row of its own. */
export interface Taken {
  readonly contentId: number
  /** Whose it is; nobody's where its place is out of reach, and then the row is refused. */
  readonly enterpriseId: number | undefined
  readonly name: string
  readonly size: number
  readonly sha256: string
  /** Bytes of it, from anywhere. */
  readonly readAt: (first: number, bytes: number) => Promise<Buffer>
}

/** Files on their way in parts, and what becomes of them. */
export const createUploads = ({ db, files, settings, log }: Pick<Services, 'db' | 'files' | 'settings' | 'log'>) => {
  const { parts } = files
  const coming = new Map<number, number>()
  const finishing = new Map<number, Promise<Upload>>()

  /** The enterprise's figures are more than one person behind the fence sees: this is the server's own work. */
  const alone = <T>(work: (tx: Db) => Promise<T>): Promise<T> =>
    fenced(undefined, () => db.transaction().execute((tx) => work(tx as Db)))

  const removeDiscarded = async () => {
    for (let keys = await findDiscarded(db); keys.length > 0; keys = await findDiscarded(db)) {
      for (const key of keys) await parts.remove(key)
      await forgetDiscarded(db, keys)
    }
  }
  /** Not worth failing over: the sweep comes again. */
  const giveBack = () =>
    fenced(undefined, removeDiscarded).catch((err: unknown) => log.warn({ err }, 'space of a file not given back yet'))

  /** The upload goes, and its space with it. */
  const drop = async ({ id, key }: Upload) => {
    await alone(async (tx) => {
      await deleteUpload(tx, id)
      await discard(tx, [key])
    })
    await giveBack()
  }

  const mustFit = async (tx: Db, enterpriseId: number, creatorId: number, size: number) => {
    if ((await findPending(tx, creatorId)).length >= uploadsUnderWay)
      throw new AppError(fileErrors.tooManyFiles, { limit: uploadsUnderWay })
    const quota = (await settings.get('enterpriseFilesGb')) * gibibyte
    if ((await weighEnterprise(tx, enterpriseId)) + size > quota)
      throw new AppError(fileErrors.quotaFull, { limit: sized(quota) })
    const space = await parts.space()
    if (space !== undefined && size + spareBytes > space) throw new AppError(fileErrors.diskFull)
  }

  const begin = async (actor: Actor, { purpose, name, size, sha256 }: Begun): Promise<UploadView> => {
    const spec = uploadPurpose(purpose)
    if (!spec) throw notFound()
    if (!endsAsWanted(spec, name)) throw new AppError(spec.refusal ?? fileErrors.contentDiffers, { name })
    if (size > spec.maxBytes)
      throw spec.tooLarge
        ? new AppError(spec.tooLarge)
        : new AppError(fileErrors.fileTooLarge, { limit: sized(spec.maxBytes) })
    const { path } = actor.operating ?? actor.department
    const upload = await alone(async (tx) => {
      const enterpriseId = await enterpriseAt(tx, path)
      await lockEnterprise(tx, enterpriseId)
      const announced = { creatorId: actor.id, enterpriseId, purpose, name, size, sha256 }
      const underWay = await resumeUpload(tx, announced)
      if (underWay) return underWay
      const known = await holdContent(tx, enterpriseId, sha256)
      if (known && known.size === size) {
        mustKeepPromise(name, known.kind)
        return insertUpload(tx, announced, { key: known.key, partBytes: known.partBytes, contentId: known.id })
      }
      await mustFit(tx, enterpriseId, actor.id, size)
      const key = files.newKey()
      await parts.begin(key)
      return insertUpload(tx, announced, { key, partBytes: uploadPartBytes })
    })
    return viewOf(upload)
  }

  const own = async (actor: Actor, id: number): Promise<Upload> => {
    const upload = await findUpload(db, actor.id, id)
    if (!upload) throw notFound()
    return upload
  }

  /** What has arrived before is passed over, so that whoever sends it can go on. */
  const passOver = async (body: AsyncIterable<Buffer>, bytes: number) => {
    let size = 0
    for await (const chunk of body) {
      size += chunk.length
      if (size > bytes) throw new AppError(fileErrors.partWrong)
    }
  }

  const store = async (upload: Upload, part: number, md5: string, { headers, body }: Sent) => {
    if (part >= partCount(upload)) throw new AppError(fileErrors.partWrong)
    const bytes = partLength(upload, part)
    const told = headers['content-length']
    if (told !== undefined && Number(told) !== bytes) throw new AppError(fileErrors.partWrong)
    if (upload.state === 'complete' || upload.received.includes(part)) return passOver(body, bytes)
    try {
      await parts.write(upload.key, part, body, { bytes, md5 })
    } catch (error) {
      if (error instanceof PartLengthWrong) throw new AppError(fileErrors.partWrong)
      if (error instanceof PartDamaged) throw new AppError(fileErrors.sliceMismatch)
      if (error instanceof FileGone) throw notFound()
      // Half a file is of no use to anybody, and everything else on this disk needs the space.
      if (isDiskFull(error)) await drop(upload)
      throw error
    }
  }

  const receive = async ({ id, part, md5 }: { id: number; part: number; md5: string }, sent: Sent, actor: Actor) => {
    const upload = await own(actor, id)
    mustHold(actor, upload.purpose)
    const before = coming.get(actor.id) ?? 0
    if (before >= partsAtOnce) throw new AppError(commonErrors.tooFrequent)
    coming.set(actor.id, before + 1)
    try {
      await store(upload, part, md5, sent)
    } finally {
      const left = (coming.get(actor.id) ?? 1) - 1
      if (left === 0) coming.delete(actor.id)
      else coming.set(actor.id, left)
    }
  }

  const count = async ({ db: tx, actor, input: { id, part } }: Call<{ id: number; part: number }>) => {
    const received = await addPart(tx, actor.id, id, part)
    if (received) return { received }
    const upload = await findUpload(tx, actor.id, id)
    if (upload?.state !== 'complete') throw notFound()
    return { received: viewOf(upload).received }
  }

  /** The bytes are what was announced, and what their name says. */
  const examine = async (upload: Upload) => {
    await parts.settle(upload)
    const digest = await digestOf(parts, upload)
    if (digest.toString('hex') !== upload.sha256) throw new AppError(fileErrors.digestMismatch)
    const ends = {
      head: await readBytes(parts, upload, 0, headBytes),
      tail: await readBytes(parts, upload, Math.max(0, upload.size - tailBytes), tailBytes),
    }
    mustFitPurpose(uploadPurpose(upload.purpose), ends)
    return judge(upload.name, ends)
  }

  const complete = async (upload: Upload, actor: Actor): Promise<Upload> => {
    const missing = partCount(upload) - upload.received.length
    if (missing > 0) throw new AppError(fileErrors.sliceMissing)
    const kind = await examine(upload).catch(async (error: unknown) => {
      if (error instanceof PartGone) {
        await forgetPart(db, upload.id, error.part)
        throw new AppError(fileErrors.sliceMissing)
      }
      if (error instanceof AppError) await drop(upload)
      throw error
    })
    const kept = await alone(async (tx) => {
      const now = await lockUpload(tx, actor.id, upload.id)
      if (!now || now.enterpriseId === null) throw notFound()
      if (now.state === 'complete') return now
      const content = await keepContent(tx, now.enterpriseId, { ...now, kind })
      if (content.key !== now.key) await discard(tx, [now.key])
      return completeUpload(tx, now.id, content)
    })
    if (kept.key !== upload.key) await giveBack()
    return kept
  }

  /** Asked for twice at once it is worked out once; on two servers the row decides who was first. */
  const finish = async (actor: Actor, id: number): Promise<UploadView> => {
    const upload = await own(actor, id)
    mustHold(actor, upload.purpose)
    if (upload.state === 'complete') return viewOf(upload)
    const working = finishing.get(id) ?? complete(upload, actor).finally(() => finishing.delete(id))
    finishing.set(id, working)
    return viewOf(await working)
  }

  const cancel = async (actor: Actor, id: number): Promise<Upload> => {
    const gone = await alone(async (tx) => {
      const upload = await lockUpload(tx, actor.id, id)
      if (!upload) throw notFound()
      await deleteUpload(tx, id)
      if (upload.state === 'uploading') await discard(tx, [upload.key])
      return upload
    })
    await giveBack()
    return gone
  }

  /** The same bytes for another enterprise: they are kept once, and each of the two has them as its own. */
  const contentFor = async (tx: Db, contentId: number, departmentId: number): Promise<number> => {
    const content = await findContent(tx, contentId)
    const enterpriseId = await enterpriseOfDepartment(tx, departmentId)
    if (!content) throw notFound()
    // A department out of reach is refused with the row that would stand there.
    if (enterpriseId === undefined || content.enterpriseId === enterpriseId) return content.id
    return (await keepContent(tx, enterpriseId, content)).id
  }

  /** For the room that makes a row of it, in the transaction of that row: an upload serves once. */
  const takeUpload = async (
    { db: tx, actor }: Pick<Call, 'db' | 'actor'>,
    id: number,
    purpose: UploadPurposeName,
    departmentId: number,
  ): Promise<Taken> => {
    const upload = await lockUpload(tx, actor.id, id)
    if (upload?.state !== 'complete' || upload.contentId === null || upload.purpose !== purpose) throw notFound()
    const contentId = await contentFor(tx, upload.contentId, departmentId)
    await deleteUpload(tx, id)
    const { name, size, sha256 } = upload
    const enterpriseId = await enterpriseOfDepartment(tx, departmentId)
    return {
      contentId,
      enterpriseId,
      name,
      size,
      sha256,
      readAt: (first, bytes) => readBytes(parts, upload, first, bytes),
    }
  }

  /** Uploads that were forgotten, contents that no row names, the bytes of both, and what was begun and never got a row. */
  const sweep = async () => {
    const all = async (some: (tx: Db, hours: number) => Promise<number>) => {
      while ((await alone((tx) => some(tx, uploadKeptHours))) > 0);
    }
    await all(dropUntouched)
    await all(dropUnused)
    await fenced(undefined, async () => {
      const abandoned = await parts.abandoned(new Date(Date.now() - uploadKeptHours * 3_600_000))
      for (const key of await findUnnamed(db, abandoned)) await parts.remove(key)
      await removeDiscarded()
    })
  }

  return {
    begin,
    info: async (actor: Actor, id: number) => viewOf(await own(actor, id)),
    pending: async (actor: Actor) => ({ uploads: (await findPending(db, actor.id)).map(viewOf) }),
    receive,
    count,
    finish,
    cancel,
    takeUpload,
    contentFor,
    sweep,
  }
}
