export type Entry = {
  id: string
  kind: 'screen' | 'command' | 'recent'
  title: string
  /** Where it is: the entries of the menu above it. */
  hint: string
  /** Everything it is found by: its name in every language, its path. */
  words: readonly string[]
  run: () => void
}

/** Sound of Chinese text: first letters and whole syllables. */
export type Sound = (text: string) => { initials: string; full: string }

/** The lower the better; undefined is no match. */
function rank(text: string, wanted: string): number | undefined {
  const at = text.toLowerCase().indexOf(wanted)
  if (at < 0) return undefined
  if (at === 0) return 0
  return /[\s/·-]/.test(text[at - 1] ?? '') ? 1 : 2
}

function rankEntry(entry: Entry, wanted: string, sound: Sound | undefined): number | undefined {
  const ranks = [entry.title, ...entry.words].map((text) => rank(text, wanted))
  if (sound !== undefined && /^[a-z]+$/.test(wanted)) {
    for (const text of entry.words) {
      const { initials, full } = sound(text)
      if (initials.includes(wanted)) ranks.push(3)
      if (full.includes(wanted)) ranks.push(4)
    }
  }
  const found = ranks.filter((each) => each !== undefined)
  return found.length === 0 ? undefined : Math.min(...found)
}

/** Best first; equal ones in the order given. */
export function matchEntries(entries: readonly Entry[], query: string, sound?: Sound): Entry[] {
  const wanted = query.trim().toLowerCase()
  if (wanted === '') return [...entries]
  return entries
    .map((entry) => ({ entry, rank: rankEntry(entry, wanted, sound) }))
    .filter((each) => each.rank !== undefined)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .map(({ entry }) => entry)
}
