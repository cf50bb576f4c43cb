import { ConfigProvider } from 'antd'
import { type ReactNode, type Ref, useCallback, useEffect, useState } from 'react'
import { pressPrimary, watchDialogs } from './layer.ts'

interface Props {
  active: boolean
  scroller?: Ref<HTMLDivElement>
  children: ReactNode
}

const noTrap = { focusable: { trap: false } }

/**
 * A page and the layer over it. Dialogs and drawers of a page stand in the layer, so they cover this page alone: tabs and
 * menu stay usable, and in another tab nothing of them is seen.
 */
export function Layered({ active, scroller, children }: Props) {
  const [page, setPage] = useState<HTMLElement | null>(null)
  const [layer, setLayer] = useState<HTMLElement | null>(null)
  useEffect(() => (page && layer ? watchDialogs(layer, page) : undefined), [page, layer])
  useEffect(() => {
    if (!layer) return
    const press = (event: KeyboardEvent) => event.key === 'Enter' && pressPrimary(event)
    layer.addEventListener('keydown', press)
    return () => layer.removeEventListener('keydown', press)
  }, [layer])
  // Lists of choices stand at what opens them; only what has no such place comes into the layer.
  const containerOf = useCallback(
    (trigger?: HTMLElement) =>
      trigger === undefined || trigger === document.body ? (layer ?? document.body) : document.body,
    [layer],
  )
  return (
    <ConfigProvider getPopupContainer={containerOf} drawer={noTrap}>
      <div className="tab-pane" ref={scroller} hidden={!active} data-active={active}>
        <div className="tab-page" ref={setPage}>
          {children}
        </div>
      </div>
      <div className="tab-layer" ref={setLayer} hidden={!active} />
    </ConfigProvider>
  )
}
