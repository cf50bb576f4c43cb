import { declared } from 'virtual:declared'
import type { Resource } from '@campanile/contract/kit'
import { useEffect } from 'react'
import { loadTexts } from './texts.ts'

/** The names of every declared kind of row. */
export const declaredNames: readonly string[] = Object.keys(declared)

/** Whether the palette finds rows of this kind. */
export const isFound = (name: string): boolean => declared[name]?.found === true

/** The declaration of a kind of row, fetched when it is asked for. */
export async function loadDeclared(name: string): Promise<Resource | undefined> {
  const exported = await declared[name]?.load()
  return Object.values(exported ?? {}).find((each): each is Resource => isNamed(each, name))
}

const isNamed = (value: unknown, name: string) =>
  typeof value === 'object' && value !== null && 'wire' in value && 'name' in value && value.name === name

/** The list that is declared for an address of the menu, with the words it is written in. */
export async function loadDeclaredAt(path: string): Promise<Resource | undefined> {
  const name = declaredNames.find((each) => declared[each]?.url === path)
  if (name === undefined) return undefined
  const [resource] = await Promise.all([loadDeclared(name), loadTexts(roomsOf([name]))])
  return resource
}

const roomsOf = (names: readonly string[]): string[] =>
  [...new Set(names.flatMap((name) => declared[name]?.room ?? []))].sort()

/** The words of these kinds of rows. */
export const loadTextsOf = (names: readonly string[]): Promise<void> => loadTexts(roomsOf(names))

/** For whoever shows rows about rows of other rooms: their words are fetched with them, and shown when they are there. */
export function useTextsOf(names: readonly string[]): void {
  const rooms = roomsOf(names).join()
  useEffect(() => {
    // Without them the rows still say what they say; the names stay as the log wrote them.
    if (rooms !== '') loadTexts(rooms.split(',')).catch(() => undefined)
  }, [rooms])
}
