import { create } from 'zustand'

/** What was told here and not by the server: errors and notices stay readable after their toast has gone. */
export type KeptEntry = {
  id: string
  type: 'error' | 'export' | 'import' | 'task'
  title?: string | undefined
  text: string
  link?: string | undefined
  read: boolean
  createTime: string
}

const most = 100

export const useKeptEntries = create<{ entries: readonly KeptEntry[] }>(() => ({ entries: [] }))

let next = 1

export function keepEntry(entry: Pick<KeptEntry, 'type' | 'title' | 'text' | 'link'>): void {
  const kept = { ...entry, id: `here-${next++}`, read: false, createTime: new Date().toISOString() }
  useKeptEntries.setState(({ entries }) => ({ entries: [kept, ...entries].slice(0, most) }))
}

/** Exports end in the order they were begun in. */
export const dropOldestExport = (): void =>
  useKeptEntries.setState(({ entries }) => {
    const oldest = entries.findLast(({ type }) => type === 'export')
    return { entries: entries.filter((entry) => entry !== oldest) }
  })

export const markKeptRead = (ids?: readonly string[]): void =>
  useKeptEntries.setState(({ entries }) => ({
    entries: entries.map((entry) => (ids === undefined || ids.includes(entry.id) ? { ...entry, read: true } : entry)),
  }))

export const clearKept = (): void => useKeptEntries.setState({ entries: [] })
