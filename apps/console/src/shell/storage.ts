/**
 * Two shelves in the browser: what belongs to the session (names under `session.`) goes when it ends, everything else
 * (language, theme, layout, column settings) belongs to the browser and stays.
 */
const prefix = 'campanile.'
const sessionPrefix = `${prefix}session.`

type Shelf = 'local' | 'tab'

const areaOf = (shelf: Shelf): Storage => (shelf === 'local' ? window.localStorage : window.sessionStorage)

/** Undefined when absent, unreadable, or when the browser refuses storage. */
export function readStored(shelf: Shelf, name: string): unknown {
  try {
    const text = areaOf(shelf).getItem(prefix + name)
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Undefined removes. A full or refused storage must not break the screen, so failure is silent. */
export function writeStored(shelf: Shelf, name: string, value: unknown): void {
  try {
    if (value === undefined) areaOf(shelf).removeItem(prefix + name)
    else areaOf(shelf).setItem(prefix + name, JSON.stringify(value))
  } catch {
    // The value lives on in memory until the page is left.
  }
}

export function clearSessionStorage(): void {
  for (const shelf of ['local', 'tab'] as const) {
    try {
      const area = areaOf(shelf)
      for (const key of Object.keys(area)) if (key.startsWith(sessionPrefix)) area.removeItem(key)
    } catch {
      // Storage is refused: there is nothing to clear.
    }
  }
}

/** Runs when another window of the same browser changes the value. */
export function onStoredElsewhere(name: string, changed: () => void): () => void {
  const listen = (event: StorageEvent) => {
    if (event.key === prefix + name || event.key === null) changed()
  }
  window.addEventListener('storage', listen)
  return () => window.removeEventListener('storage', listen)
}
