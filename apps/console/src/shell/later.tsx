import i18next from 'i18next'
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { notify } from './feedback.ts'
import { loadTexts } from './texts.ts'

/** A component whose code comes when it is wanted. */
export interface Later<P> {
  (props: P): ReactNode
  /** For the button that opens it: the code is on its way before the click. */
  near: { onPointerEnter: () => void; onFocus: () => void }
  /** For what most people open: the code is fetched once the browser has nothing else to do. */
  soon: () => void
  /** For what shows it at once: settles when the code is here. */
  ready: () => Promise<unknown>
}

interface Part<P> {
  loaded?: ComponentType<P>
  fetch: () => Promise<unknown>
}

/** Not every browser tells when it is idle; a second after the page has come it mostly is. */
const whenIdle = (run: () => void): void => {
  if ('requestIdleCallback' in window) window.requestIdleCallback(run)
  else setTimeout(run, 1_000)
}

/**
 * Drawers, dialogs and pickers are heavy and rarely opened: their code is fetched when a pointer or the focus comes near
 * the button, at the latest when they open. A failed fetch is said and can be tried again: by opening once more, or by
 * the button that stands in the place of what cannot be closed.
 */
export function later<P extends object>(
  load: () => Promise<ComponentType<P>>,
  /** Folders of texts that only it says. */
  texts: readonly string[] = [],
): Later<P> {
  const part: Part<P> = {
    fetch: async () => {
      const code = () => part.loaded ?? load()
      // Without words of its own it is there with its code, not a moment later.
      part.loaded = texts.length === 0 ? await code() : (await Promise.all([code(), loadTexts(texts)]))[0]
    },
  }
  const hurry = () => void part.fetch().catch(() => undefined)
  return Object.assign((props: P) => <Arriving part={part} given={props} />, {
    near: { onPointerEnter: hurry, onFocus: hurry },
    soon: () => whenIdle(hurry),
    ready: part.fetch,
  })
}

function Arriving<P extends object>({ part, given }: { part: Part<P>; given: P & { onClose?: () => void } }) {
  const [{ attempt, failed }, setState] = useState({ attempt: 1, failed: false })
  const [opener] = useState(() => document.activeElement)
  // Closing takes the focused element away; the focus goes back to where it came from.
  useEffect(
    () => () => {
      setTimeout(() => document.activeElement === document.body && opener instanceof HTMLElement && opener.focus())
    },
    [opener],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: one fetch for each attempt
  useEffect(() => {
    if (part.loaded) return
    let wanted = true
    part.fetch().then(
      () => wanted && setState({ attempt, failed: false }),
      () => {
        if (!wanted) return
        setState({ attempt, failed: true })
        sayFailed()
        given.onClose?.()
      },
    )
    return () => {
      wanted = false
    }
  }, [attempt])
  const Loaded = part.loaded
  if (Loaded) return <Loaded {...given} />
  if (!failed) return <div className="progress" data-busy="true" aria-hidden="true" />
  return (
    <button type="button" onClick={() => setState({ attempt: attempt + 1, failed: false })}>
      {i18next.t('shell.retry')}
    </button>
  )
}

const sayFailed = () =>
  notify.offer(i18next.t('shell.later.failed'), {
    label: i18next.t('shell.later.reload'),
    run: () => window.location.reload(),
  })
