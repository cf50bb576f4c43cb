import { SoftTag } from '../../kit/cells.tsx'
import { joined } from '../../shell/palette/groups.tsx'
import type { KindView } from '../../shell/palette/kinds.ts'

export const standsOn = ['spoken', 'command']

const figures = [
  ['succeeded', 'good'],
  ['waiting', 'off'],
  ['failed', 'bad'],
] as const

const deviceTask: KindView = {
  icon: 'task',
  beside: ({ tells }, reader) =>
    joined([
      reader.option('command', String(tells.command)),
      reader.t('deviceTask.found.devices', { count: Number(tells.total), shown: reader.number(Number(tells.total)) }),
      tells.creatorName as string | null,
    ]),
  below: ({ tells }) => tells.description as string | null,
  end: ({ tells }, reader) =>
    figures
      .filter(([name]) => Number(tells[name]) > 0)
      .map(([name, tone]) => (
        <SoftTag key={name} tone={tone}>
          {reader.number(Number(tells[name]))} {reader.field(name).toLocaleLowerCase(reader.language)}
        </SoftTag>
      )),
}

export const kinds: Readonly<Record<string, KindView>> = { deviceTask, deviceSetting: { icon: 'config' } }
