import { currentSession, isStored } from '../session/session.ts'
import { readStored, writeStored } from '../storage.ts'
import { owner } from './owner.ts'

/** What somebody has typed into one form and not saved. */
export interface Unsaved {
  /** What comes back after the page was loaded anew. */
  readonly text?: string | undefined
  /** Nothing is lost by that: no secret, no file. */
  readonly whole: boolean
  /** It came back, and its form has not been drawn yet. */
  readonly cameBack?: true
}

const name = 'session.unsaved'
/** All forms together, in characters. What is beyond it is not kept, and leaving asks. */
export const mostKept = 200_000
const pauseMs = 300

/** By the tab the form is in, and the form's name. */
const forms = new Map<string, Map<string, Unsaved>>()
let timer: ReturnType<typeof setTimeout> | undefined

export const isDirty = (tabKey: string): boolean => (forms.get(tabKey)?.size ?? 0) > 0

export const anyDirty = (): boolean => [...forms.keys()].some(isDirty)

export function forgetDirty(tabKey: string): void {
  if (forms.delete(tabKey)) writeSoon()
}

export function forgetAllDirty(): void {
  forms.clear()
  writeSoon()
}

/** Undefined: saved, given up, or never begun. */
export function markUnsaved(tabKey: string, form: string, unsaved: Unsaved | undefined): void {
  const inTab = forms.get(tabKey) ?? new Map<string, Unsaved>()
  forms.set(tabKey, inTab)
  if (unsaved) inTab.set(form, unsaved)
  else if (!inTab.delete(form)) return
  writeSoon()
}

/** What a form held before the page was loaded anew; a form that is drawn already has it. */
export function cameBack(tabKey: string, form: string): unknown {
  const unsaved = forms.get(tabKey)?.get(form)
  return unsaved?.cameBack && unsaved.text !== undefined ? JSON.parse(unsaved.text) : undefined
}

/** Names of the forms of a tab that came back. */
export const formsThatCameBack = (tabKey: string): string[] =>
  [...(forms.get(tabKey) ?? [])].filter(([, { cameBack: back }]) => back).map(([form]) => form)

type Line = readonly [tabKey: string, form: string, text: string]

const isLine = (line: unknown): line is Line =>
  Array.isArray(line) && line.length === 3 && line.every((part) => typeof part === 'string')

/** As many as there is room for. */
function kept(): Line[] {
  let room = mostKept
  return [...forms]
    .flatMap(([tabKey, inTab]) => [...inTab].map(([form, { text = '' }]): Line => [tabKey, form, text]))
    .filter(([, , text]) => {
      const fits = text !== '' && text.length <= room
      if (fits) room -= text.length
      return fits
    })
}

function writeSoon(): void {
  timer ??= setTimeout(writeUnsaved, pauseMs)
}

/** What was typed outlives the page, never the session. */
export function writeUnsaved(): void {
  clearTimeout(timer)
  timer = undefined
  const session = currentSession()
  const lines = session !== undefined && isStored(session) ? kept() : []
  writeStored('tab', name, lines.length > 0 ? { owner: owner(), lines } : undefined)
}

/** Whether loading the page anew would lose something. */
export function wouldLose(): boolean {
  const safe = new Set(kept().map(([tabKey, form]) => JSON.stringify([tabKey, form])))
  return [...forms].some(([tabKey, inTab]) =>
    [...inTab].some(([form, { whole }]) => !whole || !safe.has(JSON.stringify([tabKey, form]))),
  )
}

/** What others typed, and what stood on pages that are no longer permitted, does not come back. */
export function restoreUnsaved(isValid: (tabKey: string) => boolean): void {
  const stored = readStored('tab', name)
  const mine = typeof stored === 'object' && stored !== null && 'owner' in stored && stored.owner === owner()
  const lines = mine && 'lines' in stored && Array.isArray(stored.lines) ? stored.lines.filter(isLine) : []
  forms.clear()
  for (const [tabKey, form, text] of lines)
    if (isValid(tabKey)) markUnsaved(tabKey, form, { text, whole: true, cameBack: true })
  writeSoon()
}
