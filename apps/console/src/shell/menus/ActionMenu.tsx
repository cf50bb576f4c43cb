import { Button, type ButtonProps } from 'antd'
import type { MenuContent } from './FloatingMenu.tsx'
import { type Placed, useMenuButton } from './useMenuButton.tsx'

/** Among buttons of Ant Design, one that opens a menu: by arrow keys, and it says whether it is open. */
export function ActionMenu({ content, placement, ...button }: Placed<ButtonProps> & { content: MenuContent }) {
  const [menu, opens] = useMenuButton(content, placement)
  return (
    <>
      <Button {...opens} {...button} />
      {menu}
    </>
  )
}
