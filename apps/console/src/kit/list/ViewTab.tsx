import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { calls } from '../calls.ts'
import type { Reader } from '../reader.ts'
import { readListState } from './listState.ts'
import { listKey, type ResourceList } from './useResourceList.ts'

/** A figure beside a name says where to look; it need not be of this second. */
const freshMs = 60_000

interface Props {
  list: ResourceList
  /** The query text of what it opens. */
  search: string
  reader: Reader
  current: boolean
  title?: string
  /** Not there while there are no such rows. */
  whereSome?: boolean
  onOpen: () => void
  children: ReactNode
}

/** The name of a view and how many rows it holds. */
export function ViewTab({ list, search, reader, current, title, whereSome = false, onOpen, children }: Props) {
  const tab = useRef<HTMLButtonElement>(null)
  const seen = useWasSeen(tab)
  const { resource } = list
  const filters = { ...readListState(resource, search, list.defaults).filters, ...list.within }
  const { data } = useQuery({
    queryKey: [...listKey(resource), 'total', filters],
    queryFn: ({ signal }) => calls.total(resource, filters, { signal }),
    // After the rows themselves, and only for those in sight: a tab that is offered where there are rows is not drawn before.
    enabled: list.known && (seen || whereSome),
    staleTime: freshMs,
  })
  if (whereSome && !current && !data?.total) return null
  // Said after the name: a tab is called what its view is called, however many rows there are.
  const told = data && (data.more ? `${reader.number(data.total)}+` : reader.count(data.total))
  return (
    <button
      ref={tab}
      type="button"
      title={[title, told].filter(Boolean).join(' · ') || undefined}
      aria-current={current ? 'page' : undefined}
      onClick={onOpen}
    >
      {children}
      {data && (
        <span className="view-total figure" aria-hidden="true">
          {reader.number(data.total)}
          {data.more && '+'}
        </span>
      )}
    </button>
  )
}

/** Whether it has come into sight; once is enough. */
const useWasSeen = (element: RefObject<HTMLElement | null>): boolean => {
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (seen || !element.current) return
    const watch = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
    })
    watch.observe(element.current)
    return () => watch.disconnect()
  }, [element, seen])
  return seen
}
