import { PauseOutlined } from '@ant-design/icons'
import { device, deviceStatistics } from '@campanile/contract/device'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { calls, useReader } from '../../../kit/index.ts'
import { useAway } from '../../../shell/connection.ts'
import { useLiveLost } from '../../../shell/live.ts'
import { useServing } from '../../../shell/serving.ts'

const everyMs = 5_000
const useIsAway = () => {
  const lost = useLiveLost((state) => state.lost)
  return useAway() || lost
}
const useIsKnown = () => {
  const isServed = useServing(({ notServedSince }) => notServedSince === null)
  return !useIsAway() && isServed
}

/** Whether the screen follows the fleet. */
export function LiveSwitch({ live, onChange }: { live: boolean; onChange: (live: boolean) => void }) {
  const reader = useReader(device)
  const isKnown = useIsKnown()
  const away = useIsAway()
  return (
    <Button
      type="text"
      className="live-switch"
      data-live={live && isKnown}
      icon={live && !away ? <span aria-hidden="true">●</span> : <PauseOutlined />}
      aria-pressed={live}
      title={reader.t(live ? 'device.live.pause' : 'device.live.resume')}
      onClick={() => onChange(!live)}
    >
      {reader.t(
        !live ? 'device.live.off' : away ? 'device.live.lost' : isKnown ? 'device.live.on' : 'device.live.unknown',
      )}
    </Button>
  )
}

/** How many of the whole fleet are there right now: beside the total of a filter it would say something else. */
export function OnlineNow({ live }: { live: boolean }) {
  const reader = useReader(device)
  const isKnown = useIsKnown()
  const { data } = useQuery({
    queryKey: ['deviceStatistics'],
    queryFn: ({ signal }) => calls.call(deviceStatistics, {}, { signal }),
    refetchInterval: live ? everyMs : false,
  })
  if (!isKnown || !data) return null
  const shown = reader.number(data.onlineNum + data.flappingNum)
  return <span className="figure"> · {reader.t('device.live.online', { shown })}</span>
}
