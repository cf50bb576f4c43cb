import type { Moment } from './clock.ts'

/** Something to tell the server that it has not taken yet. */
export interface Waiting {
  readonly kind: 'state' | 'event'
  readonly moment: Moment
  readonly body: Readonly<Record<string, unknown>>
}

/** What had to go for want of room. */
export interface Loss {
  readonly states: number
  readonly events: number
}

/** What happened while nobody listened, in order. */
export interface Backlog {
  readonly size: number
  add(waiting: Waiting): Promise<void>
  /** The oldest ones, and what to call when the broker has taken them, but for some: only then are they gone. */
  first(count: number): Promise<{ readonly waiting: readonly Waiting[]; taken(unwanted: Loss): Promise<void> }>
  readonly lost: Loss
  /** Told to the server. */
  forgive(told: Loss): Promise<void>
}

export const nothingLost: Loss = { states: 0, events: 0 }
export const lossOf = (before: Loss, gone: Loss): Loss => ({
  states: Math.max(0, before.states + gone.states),
  events: Math.max(0, before.events + gone.events),
})

/** Light enough for thousands in one process, and forgotten with it. */
export const createMemoryBacklog = (most: number): Backlog => {
  let all: Waiting[] | undefined
  let lost = nothingLost
  return {
    get size() {
      return all?.length ?? 0
    },
    get lost() {
      return lost
    },
    add: async (waiting) => {
      all ??= []
      all.push(waiting)
      if (all.length <= most) return
      const oldest = all.findIndex(({ kind }) => kind === 'state')
      const [gone] = all.splice(Math.max(0, oldest), 1)
      lost = lossOf(lost, gone?.kind === 'event' ? { states: 0, events: 1 } : { states: 1, events: 0 })
    },
    first: async (count) => {
      const waiting = all?.slice(0, count) ?? []
      const taken = async (unwanted: Loss) => {
        lost = lossOf(lost, unwanted)
        const gone = new Set(waiting)
        all = all?.filter((each) => !gone.has(each))
        if (all?.length === 0) all = undefined
      }
      return { waiting, taken }
    },
    forgive: async (told) => {
      lost = lossOf(lost, { states: -told.states, events: -told.events })
    },
  }
}
