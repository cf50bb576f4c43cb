type Deps = {
  /** Remember where the person was, then forget the session. */
  leave: () => void
  show: () => void
  reload: () => void
}

// The message stands this long before the page reloads (behaviour: console.session-ends).
export const endedMessageMs = 1_500

/** However many calls fail at once, the person sees one message and one reload. */
export function createSessionEnd({ leave, show, reload }: Deps): () => void {
  let ended = false
  return () => {
    if (ended) return
    ended = true
    leave()
    show()
    setTimeout(reload, endedMessageMs)
  }
}
