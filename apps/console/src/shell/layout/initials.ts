/** First letters of up to two words, or the last two characters of a Chinese name. */
export function initials(name: string): string {
  const trimmed = name.trim()
  if (/\p{Script=Han}/u.test(trimmed)) return trimmed.slice(-2)
  const words = trimmed.split(/\s+/)
  return [words[0]?.[0], words.length > 1 ? words.at(-1)?.[0] : ''].join('').toUpperCase()
}
