import { Dropdown, type MenuProps } from 'antd'

/** What a menu offers, in Ant Design's shape, and what is done with the key that is chosen. */
export interface MenuContent {
  items: NonNullable<MenuProps['items']>
  selected?: readonly string[]
  choose: (key: string) => unknown
}

export interface OpenedAt {
  place: { left: number; top: number; width: number; height: number }
  /** Gets the focus back. */
  opener: HTMLElement
}

interface Props {
  content: MenuContent
  at: OpenedAt
  placement: 'bottomLeft' | 'bottomRight'
  onClose: () => void
}

/** Ant Design's menu at a place of the window. What stands there lies under it, so a click there closes it again. */
export function FloatingMenu({ content, at, placement, onClose }: Props) {
  const { items, selected = [], choose } = content
  const choosing: MenuProps['onClick'] = ({ key, domEvent }) => {
    // The Enter that chooses must not press the opener too, which has the focus in a moment.
    domEvent.preventDefault()
    // First, so that what is chosen finds the focus where it came from.
    onClose()
    void choose(key)
  }
  return (
    <Dropdown
      open
      autoFocus
      trigger={['click']}
      placement={placement}
      onOpenChange={(stays) => !stays && onClose()}
      menu={{ items: [...items], selectedKeys: [...selected], onClick: choosing }}
    >
      <span aria-hidden="true" style={{ position: 'fixed', ...at.place }} />
    </Dropdown>
  )
}
