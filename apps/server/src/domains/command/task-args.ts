import { type CommandSpec, commands, secretMask } from '@campanile/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { toJsonb } from '../../platform/jsonb.ts'
import type { Seal } from '../../platform/seal.ts'
import { maskSecrets } from '../../platform/secret-fields.ts'

type Args = Record<string, unknown>

/** The arguments of a task as they rest: `args` may be read by whoever sees the task, `sealed` holds all of them. */
export interface StoredArgs {
  readonly id: number
  readonly args: Args
  readonly sealed: string | null
}

/** What may be read: secrets only as "there was one", as the command declares them and, in free fields, by their names. */
export const shownArgs = ({ secret = [] }: Pick<CommandSpec, 'secret'>, args: Args): Args =>
  maskSecrets(
    Object.fromEntries(
      Object.entries(args).map(([name, value]) => [
        name,
        secret.includes(name) && value !== undefined ? secretMask : value,
      ]),
    ),
  ) as Args

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** What the masks in a text stand for; the whole of it where that cannot be told. */
const behindMasks = (whole: string, shown: string): string[] => {
  const [first = '', ...rest] = shown.split(secretMask)
  const last = rest.pop() ?? ''
  const end = whole.length - last.length
  if (!whole.startsWith(first) || !whole.endsWith(last) || end < first.length) return [whole]
  const found: string[] = []
  let at = first.length
  // From one part that is shown to the next, never back: text that somebody made for it would be tried in ever more ways.
  for (const part of rest) {
    const next = whole.indexOf(part, at)
    if (next < 0 || next + part.length > end) return [whole]
    found.push(whole.slice(at, next))
    at = next + part.length
  }
  return [...found, whole.slice(at, end)]
}
/** What of a value is not shown, word by word. */
const hiddenIn = (whole: unknown, shown: unknown): string[] => {
  if (typeof whole !== 'object' || whole === null)
    return same(whole, shown) ? [] : behindMasks(String(whole), typeof shown === 'string' ? shown : secretMask)
  const below = typeof shown === 'object' && shown !== null ? (shown as Args) : {}
  return Object.entries(whole).flatMap(([name, each]) => hiddenIn(each, below[name]))
}
/** Shorter ones would be found in everything. */
const tellingLength = 4
/** Each is looked for in all of an answer; of a task with more secrets nothing that devices say is kept. */
const wordsMax = 100

/** Arguments that people or an answer must not read rest sealed; only the message to the device holds them. */
export const createTaskArgs = (seal: Seal) => {
  // A sealed value opens only where it was put.
  const contextOf = (taskId: number) => `device_task.${taskId}.args`
  const open = ({ id, args, sealed }: StoredArgs): Args =>
    sealed ? { ...args, ...(JSON.parse(seal.unseal(sealed, contextOf(id))) as Args) } : args
  return {
    open,
    /** Nothing when all of them may be read. */
    seal: (taskId: number, whole: Args, shown: Args): string | null =>
      same(whole, shown) ? null : seal.seal(JSON.stringify(whole), contextOf(taskId)),
    /** What an answer to this task must not repeat. */
    secretsOf: (task: StoredArgs): string[] =>
      task.sealed ? [...new Set(hiddenIn(open(task), task.args).filter(({ length }) => length >= tellingLength))] : [],
  }
}
export type TaskArgs = ReturnType<typeof createTaskArgs>

const patterns = new WeakMap<readonly string[], RegExp>()
/** However it is written: a device may answer in capitals. The longest first, or a part of it would stay. */
const patternOf = (words: readonly string[]): RegExp => {
  const known = patterns.get(words)
  if (known) return known
  const escaped = [...words]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const made = new RegExp(escaped.join('|'), 'gi')
  patterns.set(words, made)
  return made
}

/** The same without these words, wherever a device repeats them. */
export const withoutWords = (value: unknown, words: readonly string[]): unknown => {
  if (words.length === 0) return value
  if (words.length > wordsMax && value !== null)
    return typeof value === 'object' ? { [secretMask]: secretMask } : secretMask
  if (typeof value === 'string') return value.replace(patternOf(words), secretMask)
  if (typeof value === 'number') return words.includes(String(value)) ? secretMask : value
  if (Array.isArray(value)) return value.map((each) => withoutWords(each, words))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [withoutWords(name, words) as string, withoutWords(each, words)]),
  )
}

const sealedAtOnce = 1_000
const specs: Readonly<Record<string, CommandSpec>> = commands

const sealSome = async (tx: Db, taskArgs: TaskArgs): Promise<number> => {
  const { rows } = await sql<StoredArgs & { command: string }>`select id, command, args, sealed_args as sealed
    from device_task where unsealed order by id limit ${sealedAtOnce} for update skip locked`.execute(tx)
  for (const row of rows) {
    const whole = taskArgs.open(row)
    const shown = shownArgs(specs[row.command] ?? {}, whole)
    await sql`update device_task set args = ${toJsonb(shown)}::jsonb, unsealed = false,
      sealed_args = ${taskArgs.seal(row.id, whole, shown)} where id = ${row.id}`.execute(tx)
  }
  return rows.length
}

/** Seals what a version before this one stored in plain; several servers may do so at once. */
export const sealStoredArgs = async (db: Db, taskArgs: TaskArgs): Promise<void> => {
  let count = sealedAtOnce
  while (count === sealedAtOnce) count = await db.transaction().execute((tx) => sealSome(tx as Db, taskArgs))
}
