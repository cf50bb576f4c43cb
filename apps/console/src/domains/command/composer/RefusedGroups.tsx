import { deviceTask, type RefusedReason, refusedIn } from '@campanile/contract/command'
import { Button } from 'antd'
import { Link } from 'react-router'
import { SoftTag, usePermitted, useReader } from '../../../kit/index.ts'
import { Countdown } from '../order/Countdown.tsx'

const named = 6
/** Something else is under way on the device; its task says what. */
const busyCodes: readonly number[] = [93010, 93022, 93026, 93027, 93029, 93030, 93034]

/** Who cannot take it, by reason, each with its way out. */
export function RefusedGroups({
  refused,
  onLeaveOut,
}: {
  refused: readonly RefusedReason[]
  onLeaveOut: (reasons: readonly RefusedReason[]) => void
}) {
  const reader = useReader(deviceTask)
  const { t } = reader
  const maySeeTasks = usePermitted(deviceTask.perms.list)
  const all = refusedIn(refused)
  const amount = (count: number) => ({ count, shown: reader.number(count) })
  return (
    <div className="card composer-refused">
      <div className="composer-card-head">
        <h4>
          {t('composer.refusedTitle')} <SoftTag tone="bad">{reader.number(all)}</SoftTag>
        </h4>
        <span className="quiet">{t('composer.recorded')}</span>
        {refused.length > 1 && (
          <Button size="small" onClick={() => onLeaveOut(refused)}>
            {t('composer.leaveAll', amount(all))}
          </Button>
        )}
      </div>
      <ul aria-label={t('composer.refusedTitle')}>
        {refused.map((reason) => {
          const { code, message, count, sns, until } = reason
          const first = sns.slice(0, named)
          return (
            <li key={code}>
              <strong className="figure">{reader.number(count)}</strong>
              <span>
                {reader.maybe(`command.refusal.${code}`) ?? message} <span className="quiet">({code})</span>
                {until !== undefined && <Countdown until={until} />}{' '}
                <span className="mono quiet">
                  {first.join(', ')}
                  {count > first.length && ` +${reader.number(count - first.length)}`}
                </span>
              </span>
              {maySeeTasks && busyCodes.includes(code) && (
                <Link to={`/deviceTask/list?progress=inProgress&sn=${encodeURIComponent(first.join('/'))}`}>
                  {t('composer.seeTasks')}
                </Link>
              )}
              <Button size="small" onClick={() => onLeaveOut([reason])}>
                {t('composer.leaveThese', amount(count))}
              </Button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
