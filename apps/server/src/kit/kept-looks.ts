/** So long what was found is told, then it is looked for again while it is told once more. */
const freshMs = 60_000
/** Older than this it is worth waiting for. */
const oldMs = 10 * 60_000
const mostKept = 500

interface Look<T> {
  /** Of the answer; undefined while the first look goes on. */
  at: number | undefined
  answer: Promise<T>
  looking: boolean
}

/** Answers that take long to find and that several people ask for: looked for once for all of them. */
export const createKeptLooks = (now = () => performance.now()) => {
  const kept = new Map<string, Look<unknown>>()

  const look = <T>(key: string, find: () => Promise<T>): Promise<T> => {
    const before = kept.get(key) as Look<T> | undefined
    const answer = find()
    const under: Look<T> = { at: before?.at, answer: before?.answer ?? answer, looking: true }
    kept.delete(key)
    kept.set(key, under)
    for (const oldest of kept.keys()) {
      if (kept.size <= mostKept) break
      kept.delete(oldest)
    }
    answer.then(
      () => Object.assign(under, { at: now(), answer, looking: false }),
      () => kept.delete(key),
    )
    return answer
  }

  return <T>(key: string, find: () => Promise<T>): Promise<T> => {
    const known = kept.get(key) as Look<T> | undefined
    if (!known) return look(key, find)
    const age = known.at === undefined ? 0 : now() - known.at
    if (known.looking || age < freshMs) return known.answer
    const next = look(key, find)
    if (age >= oldMs) return next
    // Whoever asks now is told what is known; a look that fails is told to whoever asks after it.
    next.catch(() => undefined)
    return known.answer
  }
}
