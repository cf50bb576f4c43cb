type Say = (key: string, values: Record<string, unknown>) => string

const hour = 60
const day = 24 * hour

/** "30 min", "2 h", "3 days", "1 h 30 min": a while as people say it. */
export const minutesText = (minutes: number, t: Say): string => {
  if (minutes < hour) return t('releaseDetail.span.minutes', { count: minutes })
  if (minutes >= 2 * day) return t('releaseDetail.span.days', { count: Math.round(minutes / day) })
  const hours = t('releaseDetail.span.hours', { count: Math.floor(minutes / hour) })
  const rest = minutes % hour
  return rest === 0 ? hours : `${hours} ${t('releaseDetail.span.minutes', { count: rest })}`
}
