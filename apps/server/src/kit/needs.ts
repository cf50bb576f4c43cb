import { type CommandSpec, commands, type NeedLevel, type NeedSpec, needLevels, placeOf } from '@campanile/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import { type Actor, type Scope, scopeFor } from './actor.ts'
import { createKeptLooks } from './kept-looks.ts'
import { matching } from './list/query.ts'
import { source, type Table } from './table.ts'

type Filter = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** Rows that wait for a person: how many, since when, the filter that lists exactly them, and the words to say it with. */
export interface FoundNeed {
  readonly count: number
  /** The first of them, where somebody noticed. */
  readonly since: string | null
  readonly filter: Filter
  readonly words?: Readonly<Record<string, string | number>>
  /** Which of the texts of its kind names the cause; `cause` where there is one for all. */
  readonly cause?: string
}

/** Kinds of needs among rows of one resource and how their room finds them, within what the caller may list. None found, nothing is said. */
export interface RoomNeed {
  readonly rows: NeedSpec['rows']
  readonly find: (db: Db, scope: Scope) => Promise<readonly (readonly [NeedSpec, FoundNeed])[]>
  /** Whether there are so many rows that it takes long; what is found is then the same for everybody with this reach for a while. */
  readonly takesLong?: (db: Db, scope: Scope) => Promise<boolean>
}

export const need = (spec: NeedSpec, find: (db: Db, scope: Scope) => Promise<readonly FoundNeed[]>): RoomNeed => ({
  rows: spec.rows,
  find: async (db, scope) => (await find(db, scope)).map((found) => [spec, found]),
})

/** Several kinds that one look at all rows finds. */
export const needsTogether = (
  rows: NeedSpec['rows'],
  find: RoomNeed['find'],
  takesLong: NonNullable<RoomNeed['takesLong']>,
): RoomNeed => ({ rows, find, takesLong })

/** The total of a list asked for with this filter, and the earliest of a time of its rows. */
export const countListed = async (
  db: Db,
  table: Table,
  scope: Scope,
  filter: Filter,
  since: RawBuilder<unknown>,
): Promise<FoundNeed[]> => {
  const { rows } = await sql<{ count: number; since: string | null }>`select count(*) as count, min(${since}) as since
    from ${source(table)} where ${matching(table, scope, filter)}`.execute(db)
  return rows.filter(({ count }) => count > 0).map((row) => ({ ...row, filter }))
}

/** As home tells it. */
export interface ToldNeed {
  readonly kind: string
  readonly texts: string
  readonly level: NeedLevel
  readonly count: number
  readonly since: string | null
  readonly words: Readonly<Record<string, string | number>>
  readonly cause: string
  readonly to: string
  readonly filter: Readonly<Record<string, string | string[]>>
  readonly action: { readonly word: string; readonly to: string } | null
  readonly command: string | null
}

/** A filter as an address or a body writes it. */
const asQuery = (filter: Filter): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(filter).map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  )

const mayTell = (actor: Actor, command: string) => {
  const { perm }: CommandSpec = commands[command as keyof typeof commands]
  return scopeFor(actor, perm) !== null
}

const tell = (actor: Actor, { kind, texts, level, at, action, command }: NeedSpec, found: FoundNeed): ToldNeed => ({
  kind,
  texts,
  level,
  count: found.count,
  since: found.since,
  words: found.words ?? {},
  cause: found.cause ?? 'cause',
  to: placeOf(at, found.filter),
  filter: asQuery(found.filter),
  action:
    action && scopeFor(actor, action.perm)
      ? { word: action.word, to: placeOf(action.at, found.filter).split('?')[0] ?? '' }
      : null,
  command: command && mayTell(actor, command) ? command : null,
})

const urgency = ({ level, count }: ToldNeed) => needLevels.indexOf(level) * 1e9 - count

/** What every room has to say, kept by the server that opened the rooms. */
export const createNeeds = () => {
  const known: RoomNeed[] = []
  const looked = createKeptLooks()
  return {
    add: (needs: readonly RoomNeed[]) => {
      known.push(...needs)
    },
    /** Each kind of these rows within the scope its own list would have; the most urgent first. */
    find: async (db: Db, actor: Actor, concerns: (rows: NeedSpec['rows']) => boolean): Promise<ToldNeed[]> => {
      const told = await Promise.all(
        known
          .filter(({ rows }) => concerns(rows))
          .map(async ({ rows, find, takesLong }) => {
            const scope = scopeFor(actor, rows.perms.list ?? 'signedIn')
            if (!scope) return []
            const found = (await takesLong?.(db, scope))
              ? await looked(`${rows.name} ${[...scope.paths].sort().join(' ')}`, () => find(db, scope))
              : await find(db, scope)
            return found.map(([spec, each]) => tell(actor, spec, each))
          }),
      )
      return told.flat().sort((a, b) => urgency(a) - urgency(b))
    },
  }
}
export type Needs = ReturnType<typeof createNeeds>
