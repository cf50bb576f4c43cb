import type { Db } from '../platform/db.ts'

interface Stored {
  readonly size: number
  readonly sha256: Buffer
  readonly rows: number
}
interface Claimed {
  readonly name: string
  readonly storedAs: string
}

/** Where the files that exports and imports make are written down. The room that owns those rows implements it. */
export interface FileRecords {
  /** A file that is about to be made. Answers its number. */
  readonly begin: (
    db: Db,
    file: { readonly name: string; readonly departmentId: number; readonly creatorId: number },
  ) => Promise<number>
  /** Keeps the key it will be stored under, or answers the one kept before; undefined when nobody waits for it any more. */
  readonly claim: (db: Db, id: number, key: string) => Promise<Claimed | undefined>
  readonly progress: (db: Db, id: number, percent: number) => Promise<unknown>
  /** False when it was deleted meanwhile. */
  readonly complete: (db: Db, id: number, stored: Stored & { readonly keepDays: number }) => Promise<boolean>
  /** Undefined when it was deleted meanwhile. */
  readonly fail: (
    db: Db,
    id: number,
    why: { readonly reason: string; readonly keepDays: number },
  ) => Promise<{ readonly name: string; readonly storedAs: string | null } | undefined>
  /** What became of an import, made already. */
  readonly addResult: (
    db: Db,
    file: Stored & {
      readonly name: string
      readonly key: string
      readonly departmentId: number
      readonly creatorId: number
      readonly keepDays: number
    },
  ) => Promise<number>
}
