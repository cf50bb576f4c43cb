import { device, deviceTimeline, type TimelineEntry } from '@campanile/contract/device'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { calls, useReader } from '../../../kit/index.ts'
import { dayText } from '../../../kit/time.ts'
import { describeError } from '../../../shell/errorText.ts'
import { usePermission } from '../../../shell/permissions.ts'
import { clockText } from './clockText.ts'
import { storyOf, toneOf } from './timelineText.ts'

const everyMs = 10_000
const shapes = { good: '●', warning: '◆', bad: '■', off: '○', accent: '●' } as const

export const timelineKey = (sn: string) => ['deviceTimeline', sn] as const

/** Everything that ever happened to a device, newest first; older pages come as one scrolls down to them. */
export function Timeline({ sn, most }: { sn: string; most?: number }) {
  const { i18n } = useTranslation()
  const reader = useReader(device)
  const { t } = reader
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: timelineKey(sn),
    queryFn: ({ pageParam, signal }) =>
      calls.call(deviceTimeline, { sn, ...(pageParam ? { before: pageParam } : {}) }, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
    // Only the newest page changes by itself; whoever reads further down is not moved.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : everyMs),
  })
  const more = most === undefined && hasNextPage
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = end.current
    if (!element || !more) return
    const watch = new IntersectionObserver(([seen]) => seen?.isIntersecting && void fetchNextPage(), {
      rootMargin: '400px',
    })
    watch.observe(element)
    return () => watch.disconnect()
  }, [more, fetchNextPage])

  if (error && !data)
    return (
      <div className="list-state" role="alert">
        <strong>{describeError(error).title}</strong>
        <p>{describeError(error).text}</p>
        <Button onClick={() => refetch()}>{t('kit.list.retry')}</Button>
      </div>
    )
  if (!data) return <Skeleton active />
  const entries = data.pages.flatMap(({ rows }) => rows).slice(0, most)
  if (entries.length === 0) return <p className="card-empty">{t('deviceDetail.timeline.none')}</p>
  const days = new Map<string, TimelineEntry[]>()
  for (const entry of entries) {
    const day = dayText(new Date(entry.time))
    days.set(day, [...(days.get(day) ?? []), entry])
  }
  return (
    <>
      {[...days].map(([day, ofDay]) => (
        <section key={day}>
          <h3 className="timeline-day">{day}</h3>
          <ol className="timeline">
            {ofDay.map((entry, at) => (
              <Entry
                // biome-ignore lint/suspicious/noArrayIndexKey: two things may happen in one millisecond
                key={`${entry.time} ${at}`}
                entry={entry}
                story={storyOf(entry, reader, (key) => i18n.exists(key))}
              />
            ))}
          </ol>
        </section>
      ))}
      {most === undefined && (
        <div ref={end} className="card-empty" role="status">
          {isFetchingNextPage ? t('kit.input.loading') : more ? '' : t('deviceDetail.timeline.beginning')}
        </div>
      )}
    </>
  )
}

function Entry({ entry, story }: { entry: TimelineEntry; story: { head: string; more: string } }) {
  const maySeeTasks = usePermission('deviceTask:list:detail')
  const tone = toneOf(entry)
  const task = maySeeTasks && entry.kind === 'command' ? entry.data.taskId : undefined
  return (
    <li>
      <time dateTime={entry.time} title={entry.time}>
        {clockText(Date.parse(entry.time))}
      </time>
      <span className={`timeline-mark timeline-${tone}`} aria-hidden="true">
        {shapes[tone]}
      </span>
      <div>
        {typeof task === 'number' ? <Link to={`/deviceTask/detail/${task}`}>{story.head}</Link> : story.head}
        {story.more && <div className="timeline-more">{story.more}</div>}
      </div>
    </li>
  )
}
