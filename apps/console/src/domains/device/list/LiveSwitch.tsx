import { PauseOutlined } from '@ant-design/icons'
import { device, deviceStatistics } from '@campanile/contract/device'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { calls, useReader } from '../../../kit/index.ts'
import { useServing } from '../../../shell/serving.ts'

const everyMs = 5_000
const useIsKnown = () => useServing(({ notServedSince }) => notServedSince === null)

/** Whether the screen follows the fleet. */
export function LiveSwitch({ live, onChange }: { live: boolean; onChange: (live: boolean) => void }) {
  const reader = useReader(device)
  const isKnown = useIsKnown()
  return (
    <Button
      type="text"
      className="live-switch"
      data-live={live && isKnown}
      icon={live ? <span aria-hidden="true">●</span> : <PauseOutlined />}
      aria-pressed={live}
      title={reader.t(live ? 'device.live.pause' : 'device.live.resume')}
      onClick={() => onChange(!live)}
    >
      {reader.t(!live ? 'device.live.off' : isKnown ? 'device.live.on' : 'device.live.unknown')}
    </Button>
  )
}

/** How many of the fleet are there right now, whatever the filter says. */
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
