import { Dropdown } from 'antd'
import { type ReactNode, useState } from 'react'
import type { AnyRow } from '../reader.ts'

/** One entry of a row's quiet menu. */
export interface RowAction {
  key: string
  label: string
  danger?: boolean
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
      menu={{
        items: actionsOf(open.row).map(({ key, label, danger = false, blocked, run }) => ({
          key,
          danger,
          disabled: blocked !== undefined,
          label: blocked === undefined ? label : <span title={blocked}>{`${label} · ${blocked}`}</span>,
          onClick: () => {
            close()
            void run()
          },
        })),
      }}
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
