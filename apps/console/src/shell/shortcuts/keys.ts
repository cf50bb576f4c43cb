/** To an area of the menu, by the key of its directory. */
const toAreas = {
  home: 'g h',
  device: 'g d',
  alert: 'g a',
  iot: 'g p',
  organisation: 'g o',
  insight: 'g i',
  system: 'g s',
} as const

const inPlace = {
  help: '?',
  search: '/',
  find: 'g /',
  panel: '[',
  refresh: 'r',
  previousTab: '{',
  nextTab: '}',
  nextRow: 'j',
  previousRow: 'k',
  tickRow: 'x',
} as const

/** What the browser does by itself, told with the others: a row that the keys above have reached opens by its link. */
export const ownKeys = { openRow: '↵' } as const

export type AreaShortcut = keyof typeof toAreas
export type PlaceShortcut = keyof typeof inPlace
export type ShortcutName = AreaShortcut | PlaceShortcut

const shortcuts: Readonly<Record<ShortcutName, string>> = { ...inPlace, ...toAreas }

export const areaShortcuts = Object.keys(toAreas) as readonly AreaShortcut[]
export const placeShortcuts = Object.keys(inPlace) as readonly PlaceShortcut[]

export const keysOf = (name: ShortcutName): string => shortcuts[name]

export const isToArea = (name: ShortcutName): name is AreaShortcut => name in toAreas

// The second key of a pair must follow within this time.
const pairMs = 1_000

/** Turns single presses into names, also for the ones that take two keys in a row. */
export function createKeyReader(now: () => number): (key: string) => ShortcutName | undefined {
  let last = { key: '', at: Number.NEGATIVE_INFINITY }
  return (key) => {
    const pair = now() - last.at < pairMs ? `${last.key} ${key}` : ''
    last = { key, at: now() }
    const names = Object.entries(shortcuts)
    const found = names.find(([, keys]) => keys === pair) ?? names.find(([, keys]) => keys === key)
    return found?.[0] as ShortcutName | undefined
  }
}

/** Typing must stay typing; a dialog has its own keys. */
export function isForTheShell(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false
  const target = event.target instanceof Element ? event.target : undefined
  // A tick takes no letters: from one the keys go on to the next row.
  if (
    target?.closest(
      'input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog], dialog, [role=menu], .xterm',
    )
  )
    return false
  return document.querySelector('dialog[open], .ant-modal-wrap:not([style*="none"])') === null
}
