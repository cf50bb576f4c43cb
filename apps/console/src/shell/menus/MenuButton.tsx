import type { ComponentProps } from 'react'
import type { MenuContent } from './FloatingMenu.tsx'
import { FloatingMenu, useMenu } from './useMenu.tsx'

type Props = Omit<ComponentProps<'button'>, 'content'> & {
  content: MenuContent
  placement?: 'bottomLeft' | 'bottomRight'
}

/** A button that opens a menu. */
export function MenuButton({ content, placement, ...button }: Props) {
  const [menu, open] = useMenu<undefined>(() => content, placement)
  return (
    <>
      <button
        {...FloatingMenu.near}
        type="button"
        aria-haspopup="menu"
        aria-expanded={menu !== undefined}
        {...button}
        onClick={(event) => open(undefined, event.currentTarget)}
      />
      {menu}
    </>
  )
}
