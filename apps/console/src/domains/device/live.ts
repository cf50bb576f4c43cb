import { type DeviceDetail, device, serialsInFilter } from '@campanile/contract/device'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listKey } from '../../kit/list/useResourceList.ts'
import { sayLive, useLive } from '../../shell/live.ts'
import { type DeviceNews, detailWithNews, type Row, withNews } from './news.ts'

export const detailKey = (sn: string) => [...listKey(device), 'detail', sn] as const

const isRows = (data: unknown): data is { rows: Row[] } =>
  typeof data === 'object' && data !== null && 'rows' in data && Array.isArray(data.rows)

const merge = (queries: QueryClient, news: DeviceNews) => {
  // Devices stand in more than one kind of list; a row with a serial number and a presence is one.
  queries.setQueriesData({ queryKey: ['list'] }, (data: unknown) => {
    if (!isRows(data)) return data
    const at = data.rows.findIndex((row) => row.sn === news.sn && 'iotStatus' in row)
    const row = data.rows[at]
    const now = row && withNews(row, news)
    return now === row ? data : { ...data, rows: data.rows.with(at, now as Row) }
  })
  const held = queries.getQueryData<DeviceDetail>(detailKey(news.sn))
  if (!held) return
  const now = detailWithNews(held, news)
  queries.setQueryData<DeviceDetail>(detailKey(news.sn), now)
  // Reasons, addresses and programs stand beside the row; they change when it comes, goes or is another version.
  const { battery: _battery, ...before } = held.row
  const { battery: _now, ...after } = now.row
  if (JSON.stringify(before) !== JSON.stringify(after)) void queries.invalidateQueries({ queryKey: detailKey(news.sn) })
}

const watched = new Map<symbol, { readonly sns: readonly string[]; readonly isPage: boolean }>()

/** One connection, one word: the devices of every part of the screen together, and those whose page it is. */
const sayWatched = () => {
  const parts = [...watched.values()]
  const together = (some: typeof parts) => [...new Set(some.flatMap(({ sns }) => sns))].slice(0, serialsInFilter)
  sayLive({ type: 'watch', sns: together(parts), open: together(parts.filter(({ isPage }) => isPage)) })
}

/**
 * While these devices are on the screen, their presence and values change in the rows as they change in the world.
 * `isPage`: it is the page of one device, which shows values by its own names too.
 */
export function useDevicesLive(sns: readonly string[], { paused = false, isPage = false } = {}): void {
  const queries = useQueryClient()
  const key = paused ? '' : sns.join('/')
  useEffect(() => {
    if (key === '') return
    const who = Symbol()
    watched.set(who, { sns: key.split('/'), isPage })
    sayWatched()
    return () => {
      watched.delete(who)
      sayWatched()
    }
  }, [key, isPage])
  useLive('connected', () => key !== '' && sayWatched())
  useLive('device', (message) => merge(queries, message as unknown as DeviceNews))
}
