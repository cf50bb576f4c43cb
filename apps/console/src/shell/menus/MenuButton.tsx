import type { ComponentProps } from 'react'
import type { MenuContent } from './FloatingMenu.tsx'
import { type Placed, useMenuButton } from './useMenuButton.tsx'

/** A button that opens a menu. */
export function MenuButton({
  content,
  placement,
  ...button
}: Placed<ComponentProps<'button'>> & { content: MenuContent }) {
  const [menu, opens] = useMenuButton(content, placement)
  return (
    <>
      <button type="button" {...opens} {...button} />
      {menu}
    </>
  )
}
