import { deviceTask } from '@campanile/contract/command'
import { Button } from 'antd'
import { Link } from 'react-router'
import { SoftTag, usePermitted, useReader } from '../../../kit/index.ts'
import { Countdown } from '../order/Countdown.tsx'
import type { Preview } from '../order/useOrder.ts'

type Refused = Preview['refused'][number]
const named = 6
/** Something else is under way on the device; its task says what. */
const busyCodes: readonly number[] = [93010, 93022, 93026, 93027, 93029, 93030, 93034]

const byCode = (refused: readonly Refused[]) => {
  const groups = new Map<number, Refused[]>()
  for (const each of refused) groups.set(each.code, [...(groups.get(each.code) ?? []), each])
  return [...groups].sort(([, a], [, b]) => b.length - a.length)
}

/** Who cannot take it, by reason, each with its way out. */
export function RefusedGroups({
  refused,
  onLeaveOut,
}: {
  refused: readonly Refused[]
  onLeaveOut: (sns: readonly string[]) => void
}) {
  const reader = useReader(deviceTask)
  const { t } = reader
  const maySeeTasks = usePermitted(deviceTask.perms.list)
  const groups = byCode(refused)
  const leave = (some: readonly Refused[]) => onLeaveOut(some.map(({ sn }) => sn))
  const amount = (some: readonly Refused[]) => ({ count: some.length, shown: reader.number(some.length) })
  return (
    <div className="card composer-refused">
      <div className="composer-card-head">
        <h4>
          {t('composer.refusedTitle')} <SoftTag tone="bad">{reader.number(refused.length)}</SoftTag>
        </h4>
        <span className="quiet">{t('composer.recorded')}</span>
        {groups.length > 1 && (
          <Button size="small" onClick={() => leave(refused)}>
            {t('composer.leaveAll', amount(refused))}
          </Button>
        )}
      </div>
      <ul aria-label={t('composer.refusedTitle')}>
        {groups.map(([code, some]) => {
          const until = some.find((each) => each.until !== undefined)?.until
          return (
            <li key={code}>
              <strong className="figure">{reader.number(some.length)}</strong>
              <span>
                {reader.maybe(`command.refusal.${code}`) ?? some[0]?.message} <span className="quiet">({code})</span>
                {until !== undefined && <Countdown until={until} />}{' '}
                <span className="mono quiet">
                  {some
                    .slice(0, named)
                    .map(({ sn }) => sn)
                    .join(', ')}
                  {some.length > named && ` +${reader.number(some.length - named)}`}
                </span>
              </span>
              {maySeeTasks && busyCodes.includes(code) && (
                <Link
                  to={`/deviceTask/list?progress=inProgress&sn=${encodeURIComponent(
                    some
                      .slice(0, named)
                      .map(({ sn }) => sn)
                      .join('/'),
                  )}`}
                >
                  {t('composer.seeTasks')}
                </Link>
              )}
              <Button size="small" onClick={() => leave(some)}>
                {t('composer.leaveThese', amount(some))}
              </Button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
