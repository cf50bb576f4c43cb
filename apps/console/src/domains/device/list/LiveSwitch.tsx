import { PauseOutlined, SyncOutlined } from '@ant-design/icons'
import { device, deviceStatistics } from '@campanile/contract/device'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { calls, useReader } from '../../../kit/index.ts'
import { useAway } from '../../../shell/connection.ts'
import { useLiveLost } from '../../../shell/live.ts'
import { useServing } from '../../../shell/serving.ts'

const everyMs = 5_000

/** Whether the screen follows the fleet, and how many of it are there right now, whatever the filter says. */
export function LiveSwitch({ live, onChange }: { live: boolean; onChange: (live: boolean) => void }) {
  const reader = useReader(device)
  const isServed = useServing(({ notServedSince }) => notServedSince === null)
  const lost = useLiveLost((state) => state.lost)
  const away = useAway() || lost
  const isKnown = isServed && !away
  const { data } = useQuery({
    queryKey: ['deviceStatistics'],
    queryFn: ({ signal }) => calls.call(deviceStatistics, {}, { signal }),
    refetchInterval: live ? everyMs : false,
  })
  const online = data && data.onlineNum + data.flappingNum
  return (
    <Button
      type="text"
      className="live-switch"
      icon={live && !away ? <SyncOutlined /> : <PauseOutlined />}
      aria-pressed={live}
      title={reader.t(live ? 'device.live.pause' : 'device.live.resume')}
      onClick={() => onChange(!live)}
    >
      {reader.t(
        !live ? 'device.live.off' : away ? 'device.live.lost' : isKnown ? 'device.live.on' : 'device.live.unknown',
      )}
      {isKnown && online !== undefined && (
        <span className="quiet figure">· {reader.t('device.live.online', { shown: reader.number(online) })}</span>
      )}
    </Button>
  )
}
