import { useCallback, useContext, useEffect, useId, useState } from 'react'
import { isLeavingOnPurpose } from './leaving.ts'
import { TabContext } from './TabContext.ts'
import { useTabs } from './tabStore.ts'
import { cameBack, markUnsaved, wouldLose, writeUnsaved } from './unsaved.ts'

export interface KeptInput {
  /** The form's name within its tab. */
  readonly as: string
  /** All that is needed to open the form again as it is, without secrets and files. */
  readonly input: unknown
  /** A secret or a file is in the form, which would be lost. */
  readonly partly?: boolean
}

/**
 * While `dirty`, closing the tab or leaving a page that is not kept asks first. What is `kept` is there again after the page
 * was loaded anew (`useKeptInput`); without it the browser asks. Answers what is called once the input is saved: its tab may
 * be behind another one by then.
 */
export function useDirtyGuard(dirty: boolean, kept?: KeptInput): () => void {
  const { key } = useContext(TabContext)
  const id = useId()
  const form = kept?.as ?? id
  const text = dirty && kept ? JSON.stringify(kept.input) : undefined
  const whole = text !== undefined && kept?.partly !== true
  useEffect(() => markUnsaved(key, form, dirty ? { text, whole } : undefined), [key, form, dirty, text, whole])
  const settle = useCallback(() => markUnsaved(key, form, undefined), [key, form])
  useEffect(
    () => () => {
      // A tab put into the background runs this too, but its form is still there and still unsaved.
      if (useTabs.getState().activeKey === key) settle()
    },
    [key, settle],
  )
  return settle
}

/** What the form of that name in this tab held before the page was loaded anew. Whoever opens the form asks for it too. */
export function useKeptInput<T>(form: string): T | undefined {
  const { key } = useContext(TabContext)
  const [kept] = useState(() => cameBack(key, form))
  return kept as T | undefined
}

export function askBeforeUnload(): () => void {
  const ask = (event: BeforeUnloadEvent) => {
    if (wouldLose() && !isLeavingOnPurpose()) event.preventDefault()
  }
  window.addEventListener('beforeunload', ask)
  window.addEventListener('pagehide', writeUnsaved)
  return () => {
    window.removeEventListener('beforeunload', ask)
    window.removeEventListener('pagehide', writeUnsaved)
  }
}
