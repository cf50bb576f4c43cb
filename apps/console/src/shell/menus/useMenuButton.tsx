import type { MouseEvent } from 'react'
import type { MenuContent } from './FloatingMenu.tsx'
import { FloatingMenu, useMenu } from './useMenu.tsx'

type Placement = 'bottomLeft' | 'bottomRight'

/** What a button that opens a menu takes besides its own: clicking it is the menu's. */
export type Placed<P> = Omit<P, 'content' | 'onClick'> & { placement?: Placement }

/** A menu, and what makes a button of any kind open it and say whether it is open. */
export const useMenuButton = (content: MenuContent, placement: Placement | undefined) => {
  const [menu, open] = useMenu<undefined>(() => content, placement)
  const opens = {
    ...FloatingMenu.near,
    'aria-haspopup': 'menu' as const,
    'aria-expanded': menu !== undefined,
    onClick: (event: MouseEvent<HTMLElement>) => open(undefined, event.currentTarget),
  }
  return [menu, opens] as const
}
