import { CaretDownOutlined, CaretRightOutlined, EllipsisOutlined } from '@ant-design/icons'
import { type MenuNode, menu, menuType } from '@campanile/contract/identity'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SoftTag, StateMark } from '../../../kit/index.ts'
import { useNarrow } from '../../../kit/list/useNarrow.ts'
import type { Reader } from '../../../kit/reader.ts'
import { MenuIcon } from '../../../shell/icons.tsx'
import { levelOf, type MenuLine } from './menuTree.ts'

interface Props {
  lines: readonly MenuLine[]
  reader: Reader
  busy: boolean
  isOpen: (id: number) => boolean
  onToggle: (id: number) => void
  onOpen: (node: MenuNode) => void
  onMenu: (node: MenuNode, button: HTMLElement) => void
}

const nothing = <span className="nothing">–</span>
const mono = (text: string | null) => (text === null ? nothing : <span className="mono">{text}</span>)

/** The columns after the name, in the order of the declaration. */
const cells: Readonly<Record<string, (node: MenuNode, reader: Reader, depth: number) => ReactNode>> = {
  icon: ({ icon }) =>
    icon === null ? (
      nothing
    ) : (
      <span className="menu-icon-cell">
        <MenuIcon name={icon} /> <span className="mono">{icon}</span>
      </span>
    ),
  orderNum: ({ orderNum }) => <span className="figure">{orderNum}</span>,
  type: (node, reader, depth) => {
    const level = levelOf({ node, depth })
    return <SoftTag>{level ? reader.t(`menu.level.${level}`) : reader.option('type', node.type)}</SoftTag>
  },
  url: ({ url }) => mono(url),
  perms: ({ perms }) => mono(perms),
  visible: ({ type, visible }, reader) =>
    type === menuType.button ? (
      nothing
    ) : (
      <StateMark tone={visible ? 'good' : 'off'}>{reader.t(visible ? 'menu.shown' : 'menu.hidden')}</StateMark>
    ),
}
const classOf = (name: string) => (name === 'orderNum' ? 'right' : undefined)

/** A real table whose rows open and close; the depth is said as well as drawn. */
export function MenuTable({ lines, reader, busy, ...handlers }: Props) {
  const narrow = useNarrow()
  const columns = menu.list.columns.filter((name) => name !== 'name' && (!narrow || name === 'type'))
  return (
    <table className="list-table menu-table" aria-busy={busy}>
      <caption className="visually-hidden">{reader.title}</caption>
      <thead>
        <tr>
          <th scope="col">{reader.field('name')}</th>
          {columns.map((name) => (
            <th key={name} scope="col" className={classOf(name)}>
              {reader.field(name)}
            </th>
          ))}
          <th scope="col" className="menu stays-right">
            <span className="visually-hidden">{reader.t('kit.list.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <MenuRow key={line.node.menuId} line={line} columns={columns} reader={reader} {...handlers} />
        ))}
      </tbody>
    </table>
  )
}

interface RowProps extends Omit<Props, 'lines' | 'busy'> {
  line: MenuLine
  columns: readonly string[]
}

function MenuRow({ line: { node, depth }, columns, reader, isOpen, onToggle, onOpen, onMenu }: RowProps) {
  const { t } = useTranslation()
  const name = reader.names(node.name)
  const expandable = node.list.length > 0
  const opened = expandable && isOpen(node.menuId)
  return (
    <tr>
      <th scope="row" className="identity" style={{ paddingLeft: 10 + depth * 20 }}>
        {expandable ? (
          <button
            type="button"
            className="quiet-button"
            aria-expanded={opened}
            aria-label={t(opened ? 'menu.tree.collapse' : 'menu.tree.expand', { name })}
            onClick={() => onToggle(node.menuId)}
          >
            {opened ? <CaretDownOutlined /> : <CaretRightOutlined />}
          </button>
        ) : (
          <span className="no-caret" />
        )}
        <button type="button" className="link-button" onClick={() => onOpen(node)}>
          {name}
        </button>
        <span className="visually-hidden">{t('menu.tree.level', { level: depth + 1 })}</span>
      </th>
      {columns.map((column) => (
        <td key={column} className={classOf(column)}>
          {cells[column]?.(node, reader, depth)}
        </td>
      ))}
      <td className="menu stays-right">
        <button
          type="button"
          className="quiet-button"
          aria-haspopup="menu"
          aria-label={t('kit.list.rowMenu', { name })}
          onClick={(event) => onMenu(node, event.currentTarget)}
        >
          <EllipsisOutlined />
        </button>
      </td>
    </tr>
  )
}
