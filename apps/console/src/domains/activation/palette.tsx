import { StateMark } from '../../kit/cells.tsx'
import { timeText } from '../../kit/time.ts'
import type { KindView } from '../../shell/palette/kinds.ts'

const activationCode: KindView = {
  icon: 'code',
  beside: ({ tells }) => tells.departmentName as string | null,
  below: () => null,
  end: ({ tells }, reader) => (
    <>
      <StateMark tone={tells.used ? 'good' : 'off'}>
        {reader.t(tells.used ? 'activationCode.found.used' : 'activationCode.found.unused')}
      </StateMark>{' '}
      {typeof tells.expireTime === 'string' &&
        reader.t('activationCode.found.until', { time: timeText(new Date(tells.expireTime)) })}
    </>
  ),
}

export const kinds: Readonly<Record<string, KindView>> = { activationCode }
