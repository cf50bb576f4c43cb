import { deviceTask, type Outlook } from '@campanile/contract/command'
import { StateMark, useReader } from '../../../kit/index.ts'

/** How a planned task would go today: who receives it, who is refused, or why it would not begin at all. */
export function OutlookFigures({ outlook }: { outlook: Outlook | undefined }) {
  const reader = useReader(deviceTask)
  const { t } = reader
  if (!outlook) return <p className="bone" />
  const { receiving, refused, refusal } = outlook
  if (refusal !== null)
    return (
      <p className="field-error" role="alert">
        {t('deviceTask.outlook.wouldNotBegin', { reason: t(`error.${refusal}`), code: refusal })}
      </p>
    )
  return (
    <p role="status" className="planned-figures">
      <StateMark tone="accent">
        {t('deviceTask.outlook.receiving', { count: receiving, shown: reader.number(receiving) })}
      </StateMark>
      {refused > 0 && (
        <StateMark tone="bad">
          {t('deviceTask.outlook.refused', { count: refused, shown: reader.number(refused) })}
        </StateMark>
      )}
    </p>
  )
}
