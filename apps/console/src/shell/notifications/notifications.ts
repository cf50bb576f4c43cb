import type { notifications } from '@campanile/contract/identity'
import type { AnswerOf } from '@campanile/contract/kit'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { useSession } from '../session/session.ts'
import { clearKept, type KeptEntry, markKeptRead, useKeptEntries } from './kept.ts'

export const notificationTypes = ['export', 'import', 'task', 'alert', 'announcement', 'error'] as const
export type NotificationType = (typeof notificationTypes)[number]

/** A line of the notification centre, from the server or kept here. */
export type NotificationEntry = {
  id: number | string
  type: NotificationType
  title?: string | undefined
  text: string | null
  link?: string | null | undefined
  /** What can be fetched, and until when. */
  file?: { id: number; until: string | null } | null | undefined
  read: boolean
  createTime: string
}

type ServerPage = AnswerOf<typeof notifications>

const pageSize = 20
const key = ['notifications']

const fetchPage = (page: number, unread: boolean, type?: NotificationType) =>
  api.call<ServerPage>('GET', '/api/v1/oauth/notifications', {
    query: { page, pageSize, unread: unread ? true : undefined, type },
  })
const nothing: ServerPage = { rows: [], total: 0, unread: 0 }

/** What the server told last of a kind, in the reader's language. */
export const newestTitle = async (type: NotificationType): Promise<string | undefined> =>
  (await fetchPage(1, true, type)).rows[0]?.title

export function useUnreadCount(): number {
  // Until an expired password is changed the server answers nothing else.
  const enabled = useSession((state) => state.session?.user.isExpired === false)
  const { data } = useQuery({ queryKey: [...key, 'count'], queryFn: () => fetchPage(1, true), enabled })
  const kept = useKeptEntries((state) => state.entries.filter((entry) => !entry.read).length)
  return (data?.unread ?? 0) + kept
}

/** Newest first, whoever told it. */
function merge(server: readonly NotificationEntry[], kept: readonly KeptEntry[]): NotificationEntry[] {
  return [...server, ...kept].sort((a, b) => b.createTime.localeCompare(a.createTime))
}

export function useNotifications(unreadOnly: boolean, type: NotificationType | undefined) {
  const pages = useInfiniteQuery({
    queryKey: [...key, 'list', unreadOnly, type],
    // Errors were said here and nowhere else: the server has none of them.
    queryFn: ({ pageParam }) => (type === 'error' ? nothing : fetchPage(pageParam, unreadOnly, type)),
    initialPageParam: 1,
    getNextPageParam: (last, all) => (all.length * pageSize < last.total ? all.length + 1 : undefined),
  })
  const kept = useKeptEntries((state) => state.entries).filter(
    (entry) => (!unreadOnly || !entry.read) && (type === undefined || entry.type === type),
  )
  const rows = merge(pages.data?.pages.flatMap((page) => page.rows) ?? [], kept)
  return { rows, pages }
}

const isServerId = (id: number | string): id is number => typeof id === 'number'

export function useNotificationActions() {
  const client = useQueryClient()
  const renew = () => client.invalidateQueries({ queryKey: key })
  return {
    renew,
    markRead: async (ids?: readonly (number | string)[]) => {
      markKeptRead(ids?.filter((id) => !isServerId(id)).map(String))
      const server = ids?.filter(isServerId)
      if (server?.length !== 0)
        await api.call('PUT', '/api/v1/oauth/notifications/read', { body: server ? { ids: server } : {} })
      await renew()
    },
    clear: async () => {
      clearKept()
      await api.call('DELETE', '/api/v1/oauth/notifications', { body: {} })
      await renew()
    },
  }
}
