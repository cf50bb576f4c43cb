import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'

/** Lines drawn beyond the edge, so that scrolling meets no blank. */
const spare = 8

/** Which lines of a fixed height are in sight of a scroller. */
export const useWindow = (scroller: RefObject<HTMLElement | null>, count: number, lineHeight: number) => {
  const [top, setTop] = useState(0)
  const [height, setHeight] = useState(600)
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () => setHeight(element.clientHeight)
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [scroller])
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const follow = () => setTop(element.scrollTop)
    element.addEventListener('scroll', follow, { passive: true })
    return () => element.removeEventListener('scroll', follow)
  }, [scroller])

  const first = Math.max(0, Math.floor(top / lineHeight) - spare)
  const last = Math.min(count, Math.ceil((top + height) / lineHeight) + spare)
  const bringIntoSight = (index: number) => {
    const element = scroller.current
    if (!element) return
    const from = index * lineHeight
    if (from < element.scrollTop) element.scrollTop = from
    else if (from + lineHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = from + lineHeight - element.clientHeight
  }
  return { first, last, bringIntoSight }
}
