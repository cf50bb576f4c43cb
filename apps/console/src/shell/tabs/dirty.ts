import { useContext, useEffect, useId } from 'react'
import { isLeavingOnPurpose } from './leaving.ts'
import { TabContext } from './TabContext.ts'
import { useTabs } from './tabStore.ts'

/** Forms with unsaved input, by the tab they are in. */
const dirtyForms = new Map<string, Set<string>>()

export const isDirty = (tabKey: string): boolean => (dirtyForms.get(tabKey)?.size ?? 0) > 0

export const anyDirty = (): boolean => [...dirtyForms.keys()].some(isDirty)

export const forgetDirty = (tabKey: string): void => void dirtyForms.delete(tabKey)

export const forgetAllDirty = (): void => dirtyForms.clear()

function mark(tabKey: string, form: string, dirty: boolean): void {
  const forms = dirtyForms.get(tabKey) ?? new Set()
  if (dirty) forms.add(form)
  else forms.delete(form)
  dirtyForms.set(tabKey, forms)
}

/** While `dirty`, closing the tab, leaving a page that is not kept, or reloading asks first. */
export function useDirtyGuard(dirty: boolean): void {
  const { key } = useContext(TabContext)
  const form = useId()
  useEffect(() => {
    mark(key, form, dirty)
    return () => {
      // A tab put into the background runs this too, but its form is still there and still unsaved.
      if (useTabs.getState().activeKey === key) mark(key, form, false)
    }
  }, [key, form, dirty])
}

export function askBeforeUnload(): () => void {
  const ask = (event: BeforeUnloadEvent) => {
    if (anyDirty() && !isLeavingOnPurpose()) event.preventDefault()
  }
  window.addEventListener('beforeunload', ask)
  return () => window.removeEventListener('beforeunload', ask)
}
