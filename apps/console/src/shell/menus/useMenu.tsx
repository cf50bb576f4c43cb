import { type ReactNode, useEffect, useState } from 'react'
import { later } from '../later.tsx'
import type { MenuContent, OpenedAt } from './FloatingMenu.tsx'

// Menus are many and rarely opened; their code comes in a quiet moment or when a pointer is near.
export const FloatingMenu = later(async () => (await import('./FloatingMenu.tsx')).FloatingMenu)

const placeOf = (element: HTMLElement) => {
  const { left, top, width, height } = element.getBoundingClientRect()
  return { left, top, width, height }
}

/**
 * One menu for all that may ask for it: a hundred rows cost a hundred buttons, not a hundred menus. Opened at the button,
 * or where the pointer is.
 */
export function useMenu<T>(
  contentOf: (about: T) => MenuContent,
  placement: 'bottomLeft' | 'bottomRight' = 'bottomLeft',
): [ReactNode, (about: T, opener: HTMLElement, pointer?: { clientX: number; clientY: number }) => void] {
  const [opened, setOpened] = useState<{ about: T; at: OpenedAt }>()
  // Said here for all that share the menu: a row that is not drawn anew knows nothing of it.
  const opener = opened?.at.opener
  useEffect(() => {
    if (opener?.getAttribute('aria-haspopup') !== 'menu') return
    opener.setAttribute('aria-expanded', 'true')
    return () => opener.setAttribute('aria-expanded', 'false')
  }, [opener])
  const close = () => {
    opened?.at.opener.focus()
    setOpened(undefined)
  }
  const menu = opened && (
    <FloatingMenu content={contentOf(opened.about)} at={opened.at} placement={placement} onClose={close} />
  )
  const open = (about: T, opener: HTMLElement, pointer?: { clientX: number; clientY: number }) => {
    const place = pointer ? { left: pointer.clientX, top: pointer.clientY, width: 0, height: 0 } : placeOf(opener)
    setOpened({ about, at: { place, opener } })
  }
  return [menu, open]
}
