import { device } from '@campanile/contract/device'
import { useState } from 'react'
import { useReader } from '../../../kit/index.ts'
import { DepartmentPicker } from '../../../kit/inputs/DepartmentPicker.tsx'
import { Page } from '../../../shell/Page.tsx'
import { AppsCard } from './AppsCard.tsx'
import { SpanPicker } from './SpanPicker.tsx'
import { type Network, type Span, thisMonth } from './span.ts'
import '../../../kit/cards.css'
import '../../../kit/kit.css'
import '../device.css'

/** What the apps of all devices within reach used of the network. */
export default function FleetTrafficScreen() {
  const reader = useReader(device)
  const [span, setSpan] = useState<Span>(thisMonth)
  const [network, setNetwork] = useState<Network>('all')
  const [departmentId, setDepartmentId] = useState<number | null>(null)
  return (
    <Page title={reader.t('deviceTraffic.byApp')}>
      <div className="device-stack">
        <div className="tab-head">
          <SpanPicker span={span} onSpan={setSpan} network={network} onNetwork={setNetwork} />
          <span className="traffic-department">
            <span className="quiet">{reader.field('departmentId')}</span>
            <DepartmentPicker label={reader.field('departmentId')} value={departmentId} onChange={setDepartmentId} />
          </span>
        </div>
        <AppsCard departmentId={departmentId} span={span} network={network} />
      </div>
    </Page>
  )
}
