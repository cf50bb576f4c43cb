import { pinyin } from 'pinyin-pro'
import type { Sound } from './match.ts'

const hasHan = /\p{Script=Han}/u
const known = new Map<string, ReturnType<Sound>>()

/** Loaded only when the palette opens: the dictionary of readings is large. */
export const soundOf: Sound = (text) => {
  if (!hasHan.test(text)) return { initials: '', full: '' }
  const before = known.get(text)
  if (before !== undefined) return before
  const syllables = pinyin(text, { toneType: 'none', type: 'array', nonZh: 'removed' })
  const sound = { initials: syllables.map((each) => each[0] ?? '').join(''), full: syllables.join('') }
  known.set(text, sound)
  return sound
}
