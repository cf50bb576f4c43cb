import { useSyncExternalStore } from 'react'
import type { ListState } from './listState.ts'

/** Long enough that most answers come first, short enough that nobody wonders whether anything happens. */
const patienceMs = 200
/** Without an answer the page follows all the same, and says what it waits for. */
const longestMs = 1_000
/** Whoever types may type on; then the page need not be drawn in between. */
const typingMs = 150

/** One change of what a list shows, on its way into the address. */
export interface Step {
  readonly state: ListState
  readonly queryKey: readonly unknown[]
  /** Resolves once the rows are here, or cannot be had. */
  readonly answer: Promise<unknown>
  /** The rows are here. */
  readonly arrived: () => boolean
  readonly how: 'push' | 'replace'
  readonly typed: boolean
  /** Puts it into the address. */
  readonly tell: (how: 'push' | 'replace') => void
}

/** What was asked for and is not in the address yet. */
export interface Ahead {
  readonly state: ListState
  readonly queryKey: readonly unknown[]
  /** Whose rows are shown meanwhile: the newest that are here; those of the address where none are. */
  readonly shown: readonly unknown[] | undefined
  readonly late: boolean
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** After the next frame; a window that is not in sight draws none. */
const painted = () =>
  new Promise<void>((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, patienceMs)
  })

/**
 * Another address draws the whole page anew. Whoever chose a filter waits for its rows: they are drawn first and alone, then
 * the page follows its address when there is time.
 */
export const createAhead = (drawn: () => Promise<void> = painted) => {
  let current: (Step & Ahead) | undefined
  let told = true
  const listeners = new Set<() => void>()
  const set = (next: (Step & Ahead) | undefined) => {
    current = next
    for (const listener of listeners) listener()
  }
  const tell = () => {
    if (told) return
    told = true
    current?.tell(current.how)
  }
  return {
    get: (): Ahead | undefined => current,
    subscribe: (changed: () => void): (() => void) => {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
    /** Something is on its way into the address. */
    isUnderWay: () => !told,
    begin: async (step: Step) => {
      const waiting = told ? undefined : current
      // Each choice is an entry for Back; what is typed on replaces what it began.
      if (step.how === 'push') tell()
      const mine = { ...step, how: waiting && step.how === 'replace' ? waiting.how : step.how }
      // Whoever types on sees the rows of the key before until those of this one are here.
      const shown = current?.shown
      const isCurrent = () => current?.answer === step.answer
      told = false
      set({ ...mine, shown, late: false })
      const answered = step.answer.then(() => true)
      if (!(await Promise.race([answered, pause(patienceMs)]))) {
        if (!isCurrent()) return
        set({ ...mine, shown, late: true })
        await Promise.race([answered, pause(longestMs)])
      }
      if (!isCurrent()) return
      set({ ...mine, shown: step.arrived() ? step.queryKey : shown, late: !step.arrived() })
      await drawn()
      if (step.typed) await pause(typingMs)
      if (isCurrent()) tell()
    },
    /** Into the address now: whoever is about to leave finds it there again. */
    flush: tell,
    /** The address has changed: what it says is no longer ahead of it. */
    settle: () => {
      if (told && current) set(undefined)
    },
    drop: () => {
      told = true
      set(undefined)
    },
  }
}
export type AheadStore = ReturnType<typeof createAhead>

const none = { get: () => undefined, subscribe: () => () => undefined }

/** One part of it: what shows that part alone is not drawn anew when another changes, beside the rows somebody waits for. */
export const useAhead = <K extends keyof Ahead>(
  store: Pick<AheadStore, 'get' | 'subscribe'> | undefined,
  part: K,
): Ahead[K] | undefined => {
  const { get, subscribe } = store ?? none
  return useSyncExternalStore(subscribe, () => get()?.[part])
}
