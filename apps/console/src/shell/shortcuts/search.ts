import { openPalette } from '../palette/paletteState.ts'

/** Told to a search field that is out of sight: whatever stands in its place gives way. */
export const searchWanted = 'campanile:search'

/** The page's own search field, else the palette. */
export function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>(
    '.tab-pane[data-active=true] :is([data-search], input[type=search])',
  )
  if (field === null) openPalette()
  field?.dispatchEvent(new Event(searchWanted, { bubbles: true }))
  field?.focus()
}
