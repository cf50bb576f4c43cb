import type { Person, World } from '../test/world.ts'
import type { Ids } from './declared-calls.ts'

/** Writes down a value that must not be seen again, and what it is. */
type Keep = (what: string, value: string) => void

export interface Garden {
  readonly world: Pick<World, 'app' | 'call' | 'request' | 'sealed'>
  readonly word: string
  readonly admin: Person
  readonly ids: Ids
  readonly keep: Keep
}
