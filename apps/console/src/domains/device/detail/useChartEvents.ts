import { device, deviceTimeline, type TimelineEntry } from '@campanile/contract/device'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { ChartEvent } from '../../../kit/chart/LineChart.tsx'
import { calls, useReader } from '../../../kit/index.ts'
import { axisText } from './clockText.ts'
import { storyOf, toneOf } from './timelineText.ts'
import { everyMs, type Range, ranges } from './useHistory.ts'

/** Pages of the timeline that are read for one look; what is older than they reach is not marked. */
const mostPages = 4
/** What explains a curve: coming and going, what the device complained of, what it was told to do. */
const telling: readonly TimelineEntry['kind'][] = ['connected', 'disconnected', 'event', 'command', 'moved']

/** What happened to a device within the range of its charts. */
export const useChartEvents = (sn: string, range: Range): ChartEvent[] => {
  const { i18n } = useTranslation()
  const reader = useReader(device)
  const { data = [] } = useQuery({
    queryKey: ['deviceTimeline', sn, 'marks', range],
    queryFn: async ({ signal }) => {
      const since = Date.now() - ranges[range]
      const found: TimelineEntry[] = []
      let before: string | null = null
      for (let page = 0; page < mostPages; page++) {
        const { rows, next }: { rows: TimelineEntry[]; next: string | null } = await calls.call(
          deviceTimeline,
          { sn, ...(before === null ? {} : { before }) },
          { signal },
        )
        found.push(...rows.filter(({ time }) => Date.parse(time) >= since))
        if (next === null || Date.parse(next) < since) break
        before = next
      }
      return found.filter(({ kind }) => telling.includes(kind))
    },
    refetchInterval: everyMs(range),
  })
  return data.map((entry) => {
    const t = Date.parse(entry.time)
    const { head } = storyOf(entry, reader, (key) => i18n.exists(key))
    return { t, tone: toneOf(entry), text: `${axisText(t, ranges[range])} ${head}` }
  })
}
