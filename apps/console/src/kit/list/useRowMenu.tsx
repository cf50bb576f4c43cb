import { Dropdown, type MenuProps } from 'antd'
import { type ReactNode, useState } from 'react'
import type { AnyRow } from '../reader.ts'

/** One entry of a row's quiet menu. */
export interface RowAction {
  key: string
  label: string
  danger?: boolean
  /** The entry it stands behind, where a row can do much. */
  under?: string | undefined
  /** Why it cannot be done now. Absent: it can. */
  blocked?: string | undefined
  run: () => unknown
}

interface Open {
  row: AnyRow
  button: HTMLElement
}

/** One menu for all rows, opened at the button that asked: a hundred rows cost a hundred buttons, not a hundred menus. */
export const useRowMenu = (
  actionsOf: (row: AnyRow) => RowAction[],
): [ReactNode, (row: AnyRow, button: HTMLElement) => void] => {
  const [open, setOpen] = useState<Open>()
  const close = () => {
    open?.button.focus()
    setOpen(undefined)
  }
  const place = open?.button.getBoundingClientRect()
  const menu = open && place && (
    <Dropdown
      open
      autoFocus
      trigger={['click']}
      placement="bottomRight"
      onOpenChange={(stays) => !stays && close()}
      menu={{ items: nested(actionsOf(open.row), close) }}
    >
      <span
        aria-hidden="true"
        style={{
          position: 'fixed',
          left: place.left,
          top: place.top,
          width: place.width,
          height: place.height,
          pointerEvents: 'none',
        }}
      />
    </Dropdown>
  )
  return [menu, (row, button) => setOpen({ row, button })]
}

type Items = NonNullable<MenuProps['items']>

const nested = (actions: readonly RowAction[], close: () => void): Items => {
  const entry = ({ key, label, danger = false, blocked, run }: RowAction) => ({
    key,
    danger,
    disabled: blocked !== undefined,
    label: blocked === undefined ? label : <span title={blocked}>{`${label} · ${blocked}`}</span>,
    onClick: () => {
      close()
      void run()
    },
  })
  const names = actions.map(({ under }) => under)
  return actions.flatMap((action, at): Items => {
    if (action.under === undefined) return [entry(action)]
    if (names.indexOf(action.under) < at) return []
    const children = actions.filter(({ under }) => under === action.under).map(entry)
    return [{ key: action.under, label: action.under, children, popupClassName: 'row-submenu' }]
  })
}
