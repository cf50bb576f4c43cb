import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNarrow } from '../../../kit/list/useNarrow.ts'
import { TreeLine, type TreeUse } from './TreeLine.tsx'
import { type Direction, type NodeRow, parentRow, step } from './treeRows.ts'
import type { OrganisationTreeState } from './useOrganisationTree.ts'
import { useWindow } from './useWindow.ts'

interface Props extends TreeUse {
  tree: OrganisationTreeState
  label: string
}

const oneLine = 36
/** On a phone a reason stands below the name: beside it neither could be read. */
const twoLines = 52
const directions: Record<string, Direction> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  Home: 'first',
  End: 'last',
  PageUp: 'pageUp',
  PageDown: 'pageDown',
}

/** Draws only the lines in sight, so ten thousand siblings are as quick as ten. One line takes the focus, arrows move it. */
export function OrganisationTree({ tree, label, ...use }: Props) {
  const { t } = useTranslation()
  const { rows } = tree
  const scroller = useRef<HTMLDivElement>(null)
  const lineHeight = useNarrow() && use.refusal ? twoLines : oneLine
  const { first, last, bringIntoSight } = useWindow(scroller, rows.length, lineHeight)
  const [active, setActive] = useState<string>()
  const [hasFocus, setHasFocus] = useState(false)
  const current = rows.some(({ key }) => key === active) ? active : rows.find(({ kind }) => kind === 'node')?.key
  const nodes = rows.filter((row): row is NodeRow => row.kind === 'node')

  const goTo = (row: NodeRow | undefined) => {
    if (!row) return
    setActive(row.key)
    setHasFocus(true)
    bringIntoSight(rows.indexOf(row))
  }
  const climbOrClose = (row: NodeRow) => {
    if (row.expanded && tree.toggle) tree.toggle(row.node.id, false)
    else goTo(parentRow(rows, row))
  }
  const openOrEnter = (row: NodeRow) => {
    if (row.expanded === false) tree.toggle?.(row.node.id, true)
    else if (row.expanded) goTo(step(rows, row.key, 'down'))
  }
  const letter = (row: NodeRow, key: string) => {
    const at = nodes.indexOf(row)
    const after = [...nodes.slice(at + 1), ...nodes.slice(0, at)]
    goTo(after.find(({ node }) => node.name.toLowerCase().startsWith(key.toLowerCase())))
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const row = nodes.find(({ key }) => key === current)
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return
    const direction = directions[event.key]
    const inLine = event.target !== event.currentTarget && (event.target as HTMLElement).closest('button')
    if (direction) goTo(step(rows, row.key, direction))
    else if (event.key === 'ArrowRight') openOrEnter(row)
    else if (event.key === 'ArrowLeft') climbOrClose(row)
    else if ((event.key === 'Enter' || event.key === ' ') && !inLine) use.onOpen(row.node)
    else if (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10'))
      use.onMenu?.(row.node, event.target as HTMLElement)
    else if (event.key.length === 1 && event.key !== ' ') letter(row, event.key)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="tree-scroller" ref={scroller} aria-busy={tree.loading}>
      <div
        role="tree"
        aria-label={label}
        tabIndex={-1}
        style={{ height: rows.length * lineHeight }}
        onKeyDown={onKeyDown}
        onFocus={() => setHasFocus(true)}
        onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setHasFocus(false)}
      >
        {rows.slice(first, last).map((row, at) => {
          const place = { top: (first + at) * lineHeight, height: lineHeight }
          if (row.kind !== 'node')
            return (
              <div
                key={row.key}
                role="none"
                className="tree-note"
                style={{ ...place, paddingLeft: row.level * 20 + 16 }}
              >
                {row.kind === 'loading' ? (
                  <span className="bone" style={{ width: 160 }} />
                ) : (
                  <>
                    {t('organisation.tree.failed')}
                    <button type="button" className="link-button" onClick={() => tree.retry(row.parentId)}>
                      {t('organisation.tree.retry')}
                    </button>
                  </>
                )}
              </div>
            )
          return (
            <TreeLine
              key={row.key}
              row={row}
              place={place}
              keyword={tree.searching ? tree.keyword : ''}
              tabbable={row.key === current}
              takesFocus={hasFocus && row.key === current}
              onActive={() => setActive(row.key)}
              onToggle={tree.toggle}
              use={use}
            />
          )
        })}
      </div>
    </div>
  )
}
