import type { MenuContent } from '../../shell/menus/FloatingMenu.tsx'
import { useMenu } from '../../shell/menus/useMenu.tsx'
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

/** What can be done with a row, opened at the button that asked. */
export const useRowMenu = (actionsOf: (row: AnyRow) => RowAction[]) =>
  useMenu((row: AnyRow) => {
    const actions = actionsOf(row)
    return { items: nested(actions), choose: (key) => actions.find((action) => action.key === key)?.run() }
  }, 'bottomRight')

const nested = (actions: readonly RowAction[]): MenuContent['items'] => {
  const entry = ({ key, label, danger = false, blocked }: RowAction) => ({
    key,
    danger,
    disabled: blocked !== undefined,
    label: blocked === undefined ? label : <span title={blocked}>{`${label} · ${blocked}`}</span>,
  })
  const names = actions.map(({ under }) => under)
  return actions.flatMap((action, at): MenuContent['items'] => {
    if (action.under === undefined) return [entry(action)]
    if (names.indexOf(action.under) < at) return []
    const children = actions.filter(({ under }) => under === action.under).map(entry)
    return [{ key: action.under, label: action.under, children, popupClassName: 'row-submenu' }]
  })
}
