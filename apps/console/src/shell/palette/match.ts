import type { IconName } from '../icons.tsx'

export const entryKinds = ['recent', 'screen', 'setting', 'command', 'help'] as const
export type EntryKind = (typeof entryKinds)[number]

export type Entry = {
  id: string
  kind: EntryKind
  title: string
  icon?: IconName
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

/** What was typed: actions alone (`>`), or a verb and whom it is for ("restart CR80"). */
export interface Typed {
  readonly actionsOnly: boolean
  readonly text: string
}

export const readTyped = (query: string): Typed => {
  const text = query.trim()
  return text.startsWith('>') ? { actionsOnly: true, text: text.slice(1).trim() } : { actionsOnly: false, text }
}

interface Spoken {
  readonly label: string
  readonly words?: readonly string[]
}

/** The verbs that a text may begin with, and what is left of it. The longest beginning wins: "restart app X" is not "restart". */
export function verbsTyped<V extends Spoken>(
  verbs: readonly V[],
  text: string,
): { verbs: V[]; rest: string } | undefined {
  const lower = text.toLowerCase()
  for (let at = lower.lastIndexOf(' '); at > 0; at = lower.lastIndexOf(' ', at - 1)) {
    const spoken = lower.slice(0, at)
    const meant = verbs.filter(({ label, words = [] }) =>
      [label, ...words].some((each) => each.toLowerCase().startsWith(spoken)),
    )
    const rest = text.slice(at + 1).trim()
    if (meant.length > 0 && spoken.length > 1 && rest !== '') return { verbs: meant, rest }
  }
  return undefined
}
