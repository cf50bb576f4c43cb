import { EllipsisOutlined, RightOutlined } from '@ant-design/icons'
import type { DepartmentNode } from '@campanile/contract/organisation'
import { type CSSProperties, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { OrganisationTypeIcon } from '../../../shell/organisations/OrganisationTypeIcon.tsx'
import { marked, type NodeRow } from './treeRows.ts'

/** What a tree is used for: the same for each of its lines. */
export interface TreeUse {
  /** Enter or a click on the name. */
  onOpen: (node: DepartmentNode) => void
  onMenu?: ((node: DepartmentNode, button: HTMLElement) => void) | undefined
  /** Why a line cannot be chosen; absent: it can. */
  refusal?: ((node: DepartmentNode) => string | undefined) | undefined
  chosenId?: number | undefined
  /** Figures beside the names; a picker needs none. */
  counts?: boolean
}

interface Props {
  row: NodeRow
  place: CSSProperties
  keyword: string
  tabbable: boolean
  takesFocus: boolean
  onActive: () => void
  onToggle: ((id: number) => void) | undefined
  use: TreeUse
}

/** One line: open or close, the drawing of its type, the name, and what it holds. */
export function TreeLine({ row, place, keyword, tabbable, takesFocus, onActive, onToggle, use }: Props) {
  const { t, i18n } = useTranslation()
  const { node, level, expanded } = row
  const line = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (takesFocus && !line.current?.contains(document.activeElement)) line.current?.focus({ preventScroll: true })
  }, [takesFocus])
  const refusal = use.refusal?.(node)
  const figure = new Intl.NumberFormat(i18n.language)
  const counts = [
    { name: t('organisation.tree.children'), count: node.childCount },
    { name: t('organisation.tree.devices'), count: node.deviceCount },
    { name: t('organisation.tree.persons'), count: node.personCount },
  ].flatMap(({ name, count }) => (count === null ? [] : [{ name, count }]))
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it handles the keys of every line
    <div
      ref={line}
      role="treeitem"
      className="tree-line"
      aria-level={level}
      aria-expanded={expanded}
      aria-posinset={row.position}
      aria-setsize={row.setSize}
      aria-selected={node.id === use.chosenId}
      aria-disabled={refusal !== undefined}
      tabIndex={tabbable ? 0 : -1}
      style={{ ...place, paddingLeft: (level - 1) * 20 }}
      onClick={() => {
        onActive()
        if (refusal === undefined) use.onOpen(node)
      }}
      onFocus={onActive}
    >
      {expanded === undefined || !onToggle ? (
        <span className="tree-toggle" />
      ) : (
        <button
          type="button"
          className="tree-toggle"
          tabIndex={-1}
          aria-hidden="true"
          data-open={expanded}
          onClick={(event) => {
            event.stopPropagation()
            onActive()
            onToggle(node.id)
          }}
        >
          <RightOutlined />
        </button>
      )}
      <OrganisationTypeIcon type={node.type} />
      <span className="tree-name" title={node.name}>
        {marked(node.name, keyword).map(({ text, hit }, at) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one name have no other identity
          hit ? <mark key={at}>{text}</mark> : text,
        )}
      </span>
      <span className="tree-type">{t(`organisation.option.type.${node.type}`)}</span>
      {refusal !== undefined && (
        <span className="tree-refusal" title={refusal}>
          {refusal}
        </span>
      )}
      {use.counts &&
        counts.map(({ name, count }) => (
          <span key={name} className="tree-count" title={name} data-none={count === 0}>
            <span className="visually-hidden">{name} </span>
            {figure.format(count)}
          </span>
        ))}
      {use.onMenu && (
        <button
          type="button"
          className="quiet-button"
          tabIndex={tabbable ? 0 : -1}
          aria-haspopup="menu"
          aria-label={t('organisation.tree.menu', { name: node.name })}
          onClick={(event) => {
            event.stopPropagation()
            onActive()
            use.onMenu?.(node, event.currentTarget)
          }}
        >
          <EllipsisOutlined />
        </button>
      )}
    </div>
  )
}
