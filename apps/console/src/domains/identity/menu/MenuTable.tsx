import { CaretDownOutlined, CaretRightOutlined, EllipsisOutlined } from '@ant-design/icons'
import { type MenuNode, menu, menuType } from '@campanile/contract'
import { useTranslation } from 'react-i18next'
import { SoftTag, StateMark } from '../../../kit/index.ts'
import type { Reader } from '../../../kit/reader.ts'
import { MenuIcon } from '../../../shell/icons.tsx'
import type { MenuLine } from './menuTree.ts'

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

/** A real table whose rows open and close; the depth is said as well as drawn. */
export function MenuTable({ lines, reader, busy, ...handlers }: Props) {
  return (
    <table className="list-table menu-table" aria-busy={busy}>
      <caption className="visually-hidden">{reader.title}</caption>
      <thead>
        <tr>
          {menu.list.columns.map((name) => (
            <th key={name} scope="col" className={name === 'orderNum' ? 'right' : undefined}>
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
          <MenuRow key={line.node.menuId} line={line} reader={reader} {...handlers} />
        ))}
      </tbody>
    </table>
  )
}

function MenuRow({
  line,
  reader,
  isOpen,
  onToggle,
  onOpen,
  onMenu,
}: Omit<Props, 'lines' | 'busy'> & { line: MenuLine }) {
  const { t } = useTranslation()
  const { node, depth } = line
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
      <td>
        {node.icon === null ? (
          nothing
        ) : (
          <span className="menu-icon-cell">
            <MenuIcon name={node.icon} /> <span className="mono">{node.icon}</span>
          </span>
        )}
      </td>
      <td className="right figure">{node.orderNum}</td>
      <td>
        <SoftTag>{reader.option('type', node.type)}</SoftTag>
      </td>
      <td>{node.url === null ? nothing : <span className="mono">{node.url}</span>}</td>
      <td>{node.perms === null ? nothing : <span className="mono">{node.perms}</span>}</td>
      <td>
        {node.type === menuType.button ? (
          nothing
        ) : (
          <StateMark tone={node.visible ? 'good' : 'off'}>{t(node.visible ? 'menu.shown' : 'menu.hidden')}</StateMark>
        )}
      </td>
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
