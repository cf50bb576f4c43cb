const bidirectional = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** A stranger's text for one line on a screen: no control characters, no turned direction, not without end. */
export const tidy = (text: string, longest: number): string =>
  text
    .replace(bidirectional, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, longest)
    .replace(/[\ud800-\udbff]$/, '')
