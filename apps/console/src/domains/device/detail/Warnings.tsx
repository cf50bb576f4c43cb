import { type DeviceDetail, device, protocol } from '@campanile/contract/device'
import { Alert } from 'antd'
import { useReader } from '../../../kit/index.ts'
import { relativeText, timeText } from '../../../kit/time.ts'
import { clockOffsetText, isFresh, isStandingStill, newestOf } from './values.ts'

/** Open problems on top, then what keeps a device from being what it looks like: its messages are refused, its clock is off, its figures stand still. */
export function Warnings({ detail }: { detail: DeviceDetail }) {
  const reader = useReader(device)
  const { t } = reader
  const { refused, clockOffset } = detail
  const age = (time: Date) => relativeText(time, new Date(), reader.language) ?? timeText(time)
  const newest = newestOf(detail)
  const now = Date.now()
  // A clock that was set since then shows by values that are of now; the device tells its time only when it comes.
  const isOff = clockOffset !== null && Math.abs(clockOffset) > protocol.clockAheadMs && !isFresh(detail, now)
  return (
    <>
      {detail.problems.map(({ problem, since }) => (
        <Alert
          key={problem}
          type={problem === 'breakdown' ? 'error' : 'warning'}
          showIcon
          title={
            since
              ? t('deviceDetail.problemSince', {
                  problem: reader.option('problem', problem),
                  time: age(new Date(since)),
                })
              : reader.option('problem', problem)
          }
        />
      ))}
      {refused && !(isOff && refused.reason === 'clockAhead') && (
        <Alert
          type="warning"
          showIcon
          title={t('deviceDetail.warning.refused', {
            reason: t(`deviceRefused.refusal.${refused.reason}`),
            time: age(new Date(refused.time)),
            count: refused.count,
            shown: reader.number(refused.count),
          })}
          description={t(`deviceRefused.refusalHelp.${refused.reason}`)}
        />
      )}
      {isOff && (
        <Alert
          type="warning"
          showIcon
          title={t('deviceDetail.warning.clock', { shown: clockOffsetText(clockOffset, t) })}
          description={t(`deviceDetail.warning.${clockOffset > 0 ? 'clockAhead' : 'clockBehind'}`)}
        />
      )}
      {newest && !isOff && isStandingStill(detail, now) && (
        <Alert
          type="warning"
          showIcon
          title={t('deviceDetail.warning.still', { time: age(new Date(newest)) })}
          description={t('deviceDetail.warning.stillHelp')}
        />
      )}
    </>
  )
}
