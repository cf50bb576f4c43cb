import type { RoomNeed } from './kit/needs.ts'
import type { Follow } from './platform/outbox.ts'
import type { Topic } from './platform/topic.ts'
import type { Services } from './services.ts'

// biome-ignore lint/suspicious/noExplicitAny: a room of any kind; what passes between two is typed by their own declarations
type AnyRoom = Room<string, any, any>

/** What the rooms somebody stands on offer, by their words. */
type DoorsOf<A extends readonly AnyRoom[]> = { readonly [R in A[number] as R['word']]: ReturnType<R['mount']> }

/** Work that comes round again. */
interface RoomJob {
  readonly name: string
  readonly everyMs: number
  readonly run: (services: Services) => Promise<unknown>
}

/** An event of another room, and what is done when it is heard. */
interface Following {
  readonly topic: Topic
  readonly start: (word: string, services: Services) => void
}

/** For `follows` of a room: after commit, at least once, in order per key, in a transaction of the follower's own. */
export const hears = <T extends object>(topic: Topic<T>, follow: (services: Services) => Follow<T>): Following => ({
  topic,
  start: (word, services) => services.outbox.follow(`${word} ${topic.name}`, topic, follow(services)),
})

/** One domain of the server: what it is called, stands on, owns, does by itself and offers. */
export interface Room<W extends string = string, D = unknown, A extends readonly AnyRoom[] = readonly AnyRoom[]> {
  readonly word: W
  /** The rooms it stands on. It may import their doors and read their tables; they know nothing of it. */
  readonly after: A
  /** The tables it owns: nobody else writes them. */
  readonly tables: readonly string[]
  /** Tables of the platform it reads by itself, to show them; any other it asks for by the platform's functions. */
  readonly shows?: readonly string[]
  readonly jobs?: readonly RoomJob[]
  /** Events it tells others through the outbox. */
  readonly emits?: readonly Topic[]
  /** Events of rooms it stands on that it hears. */
  readonly follows?: readonly Following[]
  /** What of it waits for a person; home asks for it. */
  readonly needs?: readonly RoomNeed[]
  /** What its door answers to, by name. */
  readonly offers?: readonly string[]
  /** Serves its routes; what it answers is its door, which later rooms may call. */
  readonly mount: (services: Services, doors: DoorsOf<A>) => D
}

export const defineRoom = <const W extends string, const A extends readonly AnyRoom[], D>(
  room: Room<W, D, A>,
): Room<W, D, A> => room

/** What every room offers, by its word. */
export type Doors<R extends readonly AnyRoom[]> = DoorsOf<R>

/** A door that is declared can be read about; one that is not is an entrance nobody knows of. */
const mustBeDeclared = (word: string, offers: readonly string[], door: unknown) => {
  const found = Object.keys((door as object | undefined) ?? {})
  const wrong = [...found.filter((name) => !offers.includes(name)), ...offers.filter((name) => !found.includes(name))]
  if (wrong.length > 0) throw new Error(`the door of ${word} and what it declares differ: ${wrong.join(', ')}`)
}

/** Opens the rooms in their order, each with the doors of those it stands on. */
export const openRooms = <const R extends readonly AnyRoom[]>(rooms: R, services: Services): Doors<R> => {
  const doors: Record<string, unknown> = {}
  for (const { word, after, mount, jobs = [], follows = [], offers = [], needs = [] } of rooms) {
    const missing = (after as readonly AnyRoom[]).find((room) => !(room.word in doors))
    if (missing) throw new Error(`${word} stands on ${missing.word}, which is opened after it`)
    const door = mount(services, doors as never)
    mustBeDeclared(word, offers, door)
    doors[word] = door
    for (const { name, everyMs, run } of jobs) services.jobs.every(name, everyMs, () => run(services))
    services.needs.add(needs)
    for (const following of follows) following.start(word, services)
  }
  return doors as Doors<R>
}
