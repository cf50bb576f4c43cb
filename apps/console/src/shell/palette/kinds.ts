import type { Resource } from '@campanile/contract/kit'
import type { FoundRow } from '@campanile/contract/search'
import type { ReactNode } from 'react'
import type { NavigateFunction } from 'react-router'
import type { Reader } from '../../kit/reader.ts'
import { declaredNames, isFound, loadDeclared, loadTextsOf } from '../declared.ts'
import type { IconName } from '../icons.tsx'
import { loadTexts } from '../texts.ts'
import type { Entry } from './match.ts'

/** What an entry needs to know of who asks. */
export interface Tools {
  readonly t: (key: string) => string
  readonly navigate: NavigateFunction
  readonly permitted: (perm: string) => boolean
  /** Operates on this organisation from now on. */
  readonly enter: (departmentId: number) => Promise<void>
}

/** Something that can be done with a row of a kind: by its letter, or typed before the row's name. */
export interface KindVerb {
  readonly id: string
  readonly label: string
  /** Absent for what is only typed. */
  readonly letter?: string
  /** What it is typed as, beside its label. */
  readonly words?: readonly string[]
  readonly danger?: boolean
  readonly run: (row: FoundRow) => unknown
}

/** What a room says of a kind of its rows beside what is declared. */
export interface KindView {
  readonly icon?: IconName
  /** Beside the name: how it is. */
  readonly beside?: (row: FoundRow, reader: Reader) => ReactNode
  /** Under it: where it is. Without it, everything that is told, in its order. */
  readonly below?: (row: FoundRow, reader: Reader) => ReactNode
  /** At the right. */
  readonly end?: (row: FoundRow, reader: Reader) => ReactNode
  readonly verbs?: (tools: Tools) => readonly KindVerb[]
}

/** The file `palette.tsx` of a room. */
interface RoomPalette {
  /** Rooms whose words it says beside those of the kinds themselves. */
  readonly standsOn?: readonly string[]
  readonly kinds?: Readonly<Record<string, KindView>>
  /** Places and settings of the room that are no rows. */
  readonly entries?: (tools: Tools) => readonly Entry[]
}

const files = import.meta.glob<RoomPalette>('../../domains/*/palette.tsx')

export interface Kind extends KindView {
  readonly resource: Resource
}

export interface Known {
  readonly kinds: Readonly<Record<string, Kind>>
  readonly entriesOf: (tools: Tools) => readonly Entry[]
}

let known: Promise<Known> | undefined

/** Everything the rooms declare for the palette, fetched when it is first opened. */
export const loadKinds = (): Promise<Known> => {
  known ??= load().catch((error: unknown) => {
    // A failed fetch is not remembered, so that opening again tries again.
    known = undefined
    throw error
  })
  return known
}

async function load(): Promise<Known> {
  const names = declaredNames.filter(isFound)
  const [resources, rooms] = await Promise.all([
    Promise.all(names.map(loadDeclared)),
    Promise.all(Object.values(files).map((file) => file())),
    loadTextsOf(names),
  ])
  await loadTexts(rooms.flatMap((room) => room.standsOn ?? []))
  const views: Record<string, KindView> = Object.assign({}, ...rooms.map((room) => room.kinds))
  return {
    kinds: Object.fromEntries(
      resources.flatMap((resource) => (resource ? [[resource.name, { ...views[resource.name], resource }]] : [])),
    ),
    entriesOf: (tools) => rooms.flatMap((room) => room.entries?.(tools) ?? []),
  }
}
