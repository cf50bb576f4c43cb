import {
  type App,
  findApk,
  mayReplace,
  Refusal,
  readApp as readFacts,
  type Signing,
  type Source,
  verifySigning,
} from '@campanile/apk'
import { AppError, packageErrors } from '@campanile/contract'

/** What is known of an uploaded app: what it says of itself, and who is proven to have signed it. */
export interface ReadApp {
  readonly app: App
  readonly signing: Signing
}

/** The app lies in an archive and has to be taken out of it. */
export interface PackedApp {
  readonly packed: () => AsyncGenerator<Buffer>
}

/** It was made to mislead, or broke on its way: what a person is told is the reason and the part of the file it is about. */
const refusalOf = ({ reason, entry }: Refusal): AppError => {
  const detail = { reason, ...(entry !== undefined && { entry: entry.slice(0, 128) }) }
  if (reason === 'notOneApk') return new AppError(packageErrors.archiveNotOneApk, detail)
  if (reason === 'notAnArchive' || reason === 'notAnApk') return new AppError(packageErrors.fileTypeWrong, detail)
  return new AppError(packageErrors.unreadable, detail)
}

const refusing = async <T>(run: () => Promise<T>): Promise<T> => {
  try {
    return await run()
  } catch (error) {
    throw error instanceof Refusal ? refusalOf(error) : error
  }
}

const pieceBytes = 1024 * 1024
const allOf = async function* ({ size, read }: Source) {
  for (let at = 0; at < size; at += pieceBytes) yield await read(at, Math.min(pieceBytes, size - at))
}

/** Reads an app where it lies: a few pieces of it for what it says, all of it once for its signature. */
export const readApp = (source: Source): Promise<ReadApp | PackedApp> =>
  refusing(async () => {
    const found = await findApk(source)
    if (found.kind === 'packed') return { packed: found.content }
    if (found.entry !== null) return { packed: () => allOf(found.zip.source) }
    return { app: await readFacts(found.zip), signing: await verifySigning(found.zip) }
  })

/** The certificate people know the signer by; an app may bear several signatures, the first is its name. */
export const signerOf = ({ signers }: Signing): string | null => signers[0]?.sha256 ?? null

export { mayReplace }
