import { Button, type ButtonProps } from 'antd'
import type { MenuContent } from './FloatingMenu.tsx'
import { FloatingMenu, useMenu } from './useMenu.tsx'

type Props = Omit<ButtonProps, 'content' | 'onClick'> & {
  content: MenuContent
  placement?: 'bottomLeft' | 'bottomRight'
}

/** Among buttons of Ant Design, one that opens a menu: by arrow keys, and it says whether it is open. */
export function ActionMenu({ content, placement, ...button }: Props) {
  const [menu, open] = useMenu<undefined>(() => content, placement)
  return (
    <>
      <Button
        {...FloatingMenu.near}
        aria-haspopup="menu"
        aria-expanded={menu !== undefined}
        {...button}
        onClick={(event) => open(undefined, event.currentTarget)}
      />
      {menu}
    </>
  )
}
