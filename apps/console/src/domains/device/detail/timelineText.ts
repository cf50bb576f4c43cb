import { commandTextKey } from '@campanile/contract/command'
import { device, eventTextKey, type RefusedMessage, type TimelineEntry } from '@campanile/contract/device'
import type { Field } from '@campanile/contract/kit'
import type { StateTone } from '../../../kit/cells.tsx'
import { humanised } from '../../../kit/humanised.ts'
import type { Reader } from '../../../kit/index.ts'
import { refusedText } from '../refusedText.ts'

const levels: Record<TimelineEntry['level'], StateTone> = {
  info: 'accent',
  minor: 'warning',
  major: 'warning',
  critical: 'bad',
  emergency: 'bad',
}
const word = (data: TimelineEntry['data'], name: string): string | undefined => {
  const value = data[name]
  return value === undefined || value === null || value === '' ? undefined : String(value)
}

/** How an entry looks: coming is good, going is grey, what the device or the platform complains about by its level. */
export const toneOf = ({ kind, level, data }: TimelineEntry): StateTone => {
  if (kind === 'connected' || kind === 'activated' || kind === 'registered') return 'good'
  if (kind === 'disconnected') return data.reason === 'clean' ? 'off' : 'warning'
  if (kind === 'refused') return 'bad'
  if (kind === 'command' && data.state === 'done') return 'good'
  if (kind === 'command' && (data.state === 'failed' || data.state === 'expired')) return 'bad'
  return levels[level]
}

/** What happened, in one line and what there is to say beside it. */
export const storyOf = ({ kind, title, data }: TimelineEntry, reader: Reader, exists: (key: string) => boolean) => {
  const { t } = reader
  const known = (key: string, fallback: string) => (exists(key) ? t(key, data) : fallback)
  const line = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(' · ')
  const address = word(data, 'address')
  switch (kind) {
    case 'connected':
      return {
        head: t('device.timeline.connected'),
        more: line(address, title && known(`device.presence.${title}`, title)),
      }
    case 'disconnected':
      return {
        head: t('device.timeline.disconnected'),
        more: line(title && known(`device.presence.${title}`, title), word(data, 'detail')),
      }
    case 'refused':
      return {
        head: t('device.timeline.refused'),
        more: line(
          known(`deviceRefused.refusal.${title}`, title),
          refusedText(data.message as RefusedMessage | undefined, { t }),
          address,
          t('deviceDetail.timeline.times', { count: Number(data.count ?? 1) }),
        ),
      }
    case 'command':
      return {
        head: known(commandTextKey(title), title),
        more: line(
          known(`taskDevice.option.state.${data.state}`, String(data.state ?? '')),
          word(data, 'reason') && known(`taskDevice.reason.${data.reason}`, String(data.reason)),
          data.attempt === undefined ? undefined : t('deviceDetail.timeline.attempt', { count: Number(data.attempt) }),
          word(data, 'creatorName'),
        ),
      }
    case 'event': {
      const key = eventTextKey(title)
      const untaken = data.untaken as Omit<RefusedMessage, 'kind'> | undefined
      return {
        head: known(`${key}.title`, humanised(title)),
        // In the reader's words where the device gave the figures, otherwise in its own.
        more: line(
          data.data && !untaken && exists(`${key}.text`)
            ? t(`${key}.text`, data.data as Record<string, unknown>)
            : word(data, 'text'),
          untaken && t('deviceDetail.timeline.untaken'),
          untaken && refusedText({ kind: 'event', ...untaken }, { t }),
          data.serverTime ? t('deviceDetail.timeline.serverTime') : undefined,
        ),
      }
    }
    case 'moved':
      return {
        head: t('device.timeline.moved'),
        more: line(placeOf(word(data, 'description')), word(data, 'username')),
      }
    case 'operation':
      return {
        // The route knows which button it was.
        head: known(
          `device.action.${word(data, 'route')?.split('/').at(-1)}`,
          known(`operationLog.option.type.${title}`, humanised(title)),
        ),
        more: line(word(data, 'username'), changesOf(data, reader)),
      }
    default:
      return { head: t(`device.timeline.${kind}`), more: '' }
  }
}

/** `HP-1, HP-2 → Shop` names everybody who went along; here only where it went matters. */
const placeOf = (description: string | undefined) => description?.split('→').at(-1)?.trim()

/** Where it stands is told by name, and which device it is stands above. */
const untold = new Set(['sn', 'departmentId', 'groupId'])

/** A value of the registry in the words of its form. */
const wordOf = (name: string, value: unknown, reader: Reader): string => {
  const field = device.fields[name as keyof typeof device.fields] as Field | undefined
  if (value === null || value === '') return '–'
  if (field?.dictionary !== undefined) return reader.code(name, value)
  if (field?.kind === 'choice') return reader.option(name, String(value))
  if (typeof value === 'boolean') return reader.t(value ? 'kit.value.yes' : 'kit.value.no')
  return typeof value === 'object' ? Object.values(value as object).join(', ') : String(value)
}

const changesOf = ({ after, before }: TimelineEntry['data'], reader: Reader): string | undefined => {
  if (typeof after !== 'object' || after === null) return undefined
  // Of a new row what was left blank says nothing.
  const isNew = typeof before !== 'object' || before === null
  return Object.entries(after)
    .filter(
      ([name, value]) => name in device.fields && !untold.has(name) && !(isNew && (value === null || value === '')),
    )
    .map(([name, value]) => {
      const was = isNew ? undefined : (before as Record<string, unknown>)[name]
      const now = wordOf(name, value, reader)
      return `${reader.field(name)}: ${was === undefined ? now : `${wordOf(name, was, reader)} → ${now}`}`
    })
    .join(reader.t('kit.value.comma'))
}
