import type { Db } from '../platform/db.ts'
import type { Actor, Place, Scope } from './actor.ts'

export type Language = 'en' | 'zh-CN' | 'zh-TW'

/** Where a call came from. */
export interface Caller {
  readonly ip: string
  /** A proxy says that it stood between, believed or not. */
  readonly passedOn: boolean
  readonly host: string
  readonly userAgent: string
  readonly language: Language
  /** Scheme and authority the browser used, for links it must be able to follow. */
  readonly origin: string
}

/** What the operation log shows beside the route. */
export interface Note {
  readonly description?: string
  readonly before?: unknown
  readonly after?: unknown
  /** Overrides the verb's own type (`signIn` for a login). */
  readonly type?: string
  /** Who it was, when the call itself finds that out. */
  readonly actor?: Pick<Actor, 'id' | 'username' | 'department'> & Partial<Pick<Actor, 'operating'>>
  readonly claimedName?: string
  /** The organisation whose rows were touched; found by the kit (`touched`). */
  readonly place?: Pick<Place, 'id' | 'name' | 'path'>
  /** Leaves a line although calls of its kind leave none. */
  readonly written?: boolean
}

/** A row that a call touched: where it lies, and what people call it. */
export interface Touched {
  /** Of its department. */
  readonly path: string
  readonly name: string
}

/** Rows that belong together, and what the log says of those that are one enterprise's own. */
export interface TouchedRows {
  readonly rows: readonly Touched[]
  readonly tell?: ((names: readonly string[]) => Pick<Note, 'description' | 'before' | 'after'>) | undefined
}

/** One call as its function sees it: permission, scope and input are settled before it runs. */
export interface Call<I = unknown, A = Actor> {
  readonly actor: A
  readonly scope: Scope
  readonly input: I
  /** The transaction of a write, the pool of a read. */
  readonly db: Db
  readonly caller: Caller
  note(note: Note): void
  /** Rows that the call wrote, or read where they are personal: its line lies where they lie (`notesByPlace`). */
  touched(rows: TouchedRows['rows'], tell?: TouchedRows['tell']): void
  /** Runs once the change is on disk; never when it is not. */
  afterCommit(task: () => unknown): void
}

export type PublicCall<I = unknown> = Call<I, null>
