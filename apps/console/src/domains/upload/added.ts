import type { Row } from '@campanile/contract/kit'
import { customResource } from '@campanile/contract/resource'
import { create } from 'zustand'
import { calls } from '../../kit/index.ts'
import type { Item } from '../../kit/upload/queue.ts'
import { readStored, writeStored } from '../../shell/storage.ts'

/** What is said of files when they are chosen. */
export interface About {
  readonly type: Row<typeof customResource>['type'] | null
  readonly departmentId: number | null
  readonly description: string
}

interface Outcome {
  readonly state: 'adding' | 'added' | 'failed'
  readonly name: string
  readonly error?: unknown
}

/** By the file's key; they outlive the page, as the files do. */
export const useAdded = create<{
  readonly about: ReadonlyMap<string, About>
  readonly outcomes: ReadonlyMap<string, Outcome>
}>(() => ({ about: new Map(), outcomes: new Map() }))

const nameMax = 128
export const nameOf = ({ name }: Pick<Item, 'name'>): string => name.slice(0, nameMax)

export const isComplete = (about: About | undefined): about is About =>
  about !== undefined && about.type !== null && about.departmentId !== null

const set = (key: string, outcome: Outcome) =>
  useAdded.setState(({ outcomes }) => ({ outcomes: new Map(outcomes).set(key, outcome) }))

export const say = (keys: readonly string[], about: About): void =>
  useAdded.setState(({ about: before }) => ({
    about: new Map([...before, ...keys.map((key) => [key, about] as const)]),
  }))

const shelf = 'session.upload.about'
const isShelf = (stored: unknown): stored is Record<string, About> => typeof stored === 'object' && stored !== null
const stored = (): Record<string, About> => {
  const held = readStored('tab', shelf)
  return isShelf(held) ? held : {}
}

/** What was said of a file outlives the page, as long as it is under way: F5 asks for the file, not for all the rest. */
export const keepSaid = (items: readonly Item[]): void => {
  const before = stored()
  const { about } = useAdded.getState()
  const now = Object.fromEntries(
    items.flatMap(({ key, standing }) => {
      const said = about.get(key) ?? (standing && before[standing.id])
      return standing && said ? [[standing.id, said]] : []
    }),
  )
  if (JSON.stringify(now) !== JSON.stringify(before)) writeStored('tab', shelf, now)
}
export const saidOf = ({ key, standing }: Item, about: ReadonlyMap<string, About>): About | undefined =>
  about.get(key) ?? (standing && stored()[standing.id])

/** Makes a resource of a file that is there; once, whoever asks. */
export const addResource = async ({ key, standing }: Item, name: string, about: About): Promise<void> => {
  const before = useAdded.getState().outcomes.get(key)?.state
  if (standing === undefined || before === 'adding' || before === 'added') return
  set(key, { state: 'adding', name })
  try {
    const { description, ...rest } = about
    await calls.create(customResource, {
      ...rest,
      name,
      uploadId: standing.id,
      ...(description.trim() === '' ? {} : { description }),
    } as never)
    set(key, { state: 'added', name })
  } catch (error) {
    set(key, { state: 'failed', name, error })
  }
}
