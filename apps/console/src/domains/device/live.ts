import { type DeviceDetail, device, serialsInFilter } from '@campanile/contract/device'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listKey } from '../../kit/list/useResourceList.ts'
import { sayLive, useLive } from '../../shell/live.ts'
import { type DeviceNews, detailWithNews, type Row, withNews } from './news.ts'

export const detailKey = (sn: string) => [...listKey(device), 'detail', sn] as const

const isRows = (data: unknown): data is { rows: Row[] } =>
  typeof data === 'object' && data !== null && 'rows' in data && Array.isArray(data.rows)

/** Every list that devices stand in, and the pages of those that are open. */
export const merge = (queries: QueryClient, news: readonly DeviceNews[]) => {
  const bySerial = new Map<unknown, DeviceNews[]>()
  for (const each of news) bySerial.set(each.sn, [...(bySerial.get(each.sn) ?? []), each])
  // Devices stand in more than one kind of list; a row with a serial number and a presence is one.
  const renewed = (row: Row): Row => ('iotStatus' in row ? (bySerial.get(row.sn)?.reduce(withNews, row) ?? row) : row)
  for (const { queryKey, state } of queries.getQueryCache().findAll({ queryKey: ['list'] })) {
    const { data, dataUpdatedAt } = state
    if (!isRows(data)) continue
    const rows = data.rows.map(renewed)
    // A new value makes no answer young: which rows there are is as old as it was, and asked for again in its time.
    if (rows.some((row, at) => row !== data.rows[at]))
      queries.setQueryData(queryKey, { ...data, rows }, { updatedAt: dataUpdatedAt })
  }
  for (const each of news) mergeDetail(queries, each)
}

const mergeDetail = (queries: QueryClient, news: DeviceNews) => {
  const held = queries.getQueryData<DeviceDetail>(detailKey(news.sn))
  if (!held) return
  const now = detailWithNews(held, news)
  queries.setQueryData<DeviceDetail>(detailKey(news.sn), now)
  // Reasons, addresses and programs stand beside the row; they change when it comes, goes or is another version.
  const { battery: _battery, ...before } = held.row
  const { battery: _now, ...after } = now.row
  if (JSON.stringify(before) !== JSON.stringify(after)) void queries.invalidateQueries({ queryKey: detailKey(news.sn) })
}

/** The server looks twice a second and tells device by device: what belongs to one look is drawn at once. */
const gatherMs = 60
const waiting = new WeakMap<QueryClient, DeviceNews[]>()
const gather = (queries: QueryClient, news: DeviceNews) => {
  const held = waiting.get(queries)
  if (held) return void held.push(news)
  waiting.set(queries, [news])
  setTimeout(() => {
    const told = waiting.get(queries) ?? []
    waiting.delete(queries)
    merge(queries, told)
  }, gatherMs)
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
  useLive('device', (message) => gather(queries, message as unknown as DeviceNews))
}
