const two = (value: number) => String(value).padStart(2, '0')

/** `2026-09-01`, in the browser's zone. */
export const dayText = (time: Date) => `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`

/** `2026-09-01 08:00`, in the browser's zone; never month first. */
export const timeText = (time: Date) => `${dayText(time)} ${two(time.getHours())}:${two(time.getMinutes())}`

/** `UTC+08:00`: which zone the reader is looking at. */
export const offsetText = (time: Date) => {
  const minutes = -time.getTimezoneOffset()
  const size = Math.abs(minutes)
  return `UTC${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** "5 minutes ago"; undefined when it is too far away to help. */
export const relativeText = (time: Date, now: Date, language: string): string | undefined => {
  const away = time.getTime() - now.getTime()
  if (Math.abs(away) > 30 * 86_400_000) return undefined
  const [unit, size] = steps.find(([, length]) => Math.abs(away) >= length) ?? ['minute', 60_000]
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(Math.round(away / size), unit)
}
