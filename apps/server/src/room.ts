import type { Services } from './services.ts'

// biome-ignore lint/suspicious/noExplicitAny: a room of any kind; what passes between two is typed by their own declarations
type AnyRoom = Room<string, any, any>

/** What the rooms somebody stands on offer, by their words. */
type DoorsOf<A extends readonly AnyRoom[]> = { readonly [R in A[number] as R['word']]: ReturnType<R['mount']> }

/** One domain of the server: what it is called, stands on, owns and offers. */
export interface Room<W extends string = string, D = unknown, A extends readonly AnyRoom[] = readonly AnyRoom[]> {
  readonly word: W
  /** The rooms it stands on. It may import their doors and read their tables; they know nothing of it. */
  readonly after: A
  /** The tables it owns: nobody else writes them. */
  readonly tables: readonly string[]
  /** Tables of the platform it reads by itself, to show them; any other it asks for by the platform's functions. */
  readonly shows?: readonly string[]
  /** Serves its routes and starts its jobs; what it answers is what later rooms may call. */
  readonly mount: (services: Services, doors: DoorsOf<A>) => D
}

export const defineRoom = <const W extends string, const A extends readonly AnyRoom[], D>(
  room: Room<W, D, A>,
): Room<W, D, A> => room

/** What every room offers, by its word. */
export type Doors<R extends readonly AnyRoom[]> = DoorsOf<R>

/** Opens the rooms in their order, each with the doors of those it stands on. */
export const openRooms = <const R extends readonly AnyRoom[]>(rooms: R, services: Services): Doors<R> => {
  const doors: Record<string, unknown> = {}
  for (const { word, after, mount } of rooms) {
    const missing = (after as readonly AnyRoom[]).find((room) => !(room.word in doors))
    if (missing) throw new Error(`${word} stands on ${missing.word}, which is opened after it`)
    doors[word] = mount(services, doors as never)
  }
  return doors as Doors<R>
}
