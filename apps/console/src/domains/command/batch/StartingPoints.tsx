import { deviceTask, taskDetail } from '@campanile/contract/command'
import { device, deviceGroup } from '@campanile/contract/device'
import { savedViews } from '@campanile/contract/identity'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { calls, Time, usePermitted, useReader } from '../../../kit/index.ts'
import { listKey } from '../../../kit/list/useResourceList.ts'
import { targetOfGroup, targetOfView } from '../../device/pickers.tsx'
import { ProgressMark } from '../task/states.tsx'
import { type NamedTarget, nearTelling, tellDevices } from '../tellDevices.tsx'

const inSight = 6
const page = { page: 1, pageSize: inSight }

function Card({ title, empty, children }: { title: string; empty: string | undefined; children: ReactNode }) {
  return (
    <section className="card" aria-label={title}>
      <h2>{title}</h2>
      {empty === undefined ? <ul className="card-rows">{children}</ul> : <p className="card-empty">{empty}</p>}
    </section>
  )
}

/** What was asked of devices last, and how it went. */
export function RecentTasks() {
  const reader = useReader(deviceTask)
  const { t } = reader
  const mayList = usePermitted(deviceTask.perms.list)
  const mayLook = usePermitted(taskDetail.perm)
  const { data } = useQuery({
    queryKey: [...listKey(deviceTask), 'recent'],
    queryFn: ({ signal }) => calls.list(deviceTask, { ...page, sort: '-createTime' }, { signal }),
    enabled: mayList,
  })
  if (!mayList || !data) return null
  return (
    <Card title={t('batch.recent')} empty={data.rows.length === 0 ? t('batch.noTasks') : undefined}>
      {data.rows.map((row) => (
        <li key={row.id}>
          <span>
            {mayLook ? (
              <Link to={`/deviceTask/detail/${row.id}`}>{reader.option('command', row.command)}</Link>
            ) : (
              reader.option('command', row.command)
            )}{' '}
            <span className="quiet figure">
              {reader.number(row.succeeded)} / {reader.number(row.total)}
            </span>
          </span>
          <span className="quiet">
            <ProgressMark task={row} /> <Time value={row.createTime} reader={reader} />
          </span>
        </li>
      ))}
    </Card>
  )
}

function Named({ meant, count, mayTell }: { meant: NamedTarget; count?: string; mayTell: boolean }) {
  const { t } = useReader(device)
  return (
    <li>
      <span>
        {meant.label} <span className="quiet figure">{count}</span>
      </span>
      {mayTell && (
        <Button
          {...nearTelling}
          size="small"
          aria-label={t('batch.tellThem', { name: meant.label })}
          onClick={() => tellDevices({ targets: [meant], door: 'batch' })}
        >
          {t('batch.tellShort')}
        </Button>
      )}
    </li>
  )
}

/** Lists of devices that somebody has kept. */
export function ViewsCard({ mayTell }: { mayTell: boolean }) {
  const { t } = useReader(device)
  const { data } = useQuery({
    queryKey: ['savedViews', device.name],
    queryFn: async () => (await calls.call(savedViews, { resource: device.name })).rows,
    staleTime: 60_000,
  })
  if (!data) return null
  return (
    <Card title={t('batch.views')} empty={data.length === 0 ? t('batch.noViews') : undefined}>
      {data.slice(0, inSight).map((view) => (
        <Named key={view.id} meant={targetOfView(view)} mayTell={mayTell} />
      ))}
    </Card>
  )
}

export function GroupsCard({ mayTell }: { mayTell: boolean }) {
  const reader = useReader(deviceGroup)
  const { t } = reader
  const mayList = usePermitted(deviceGroup.perms.list)
  const wire = { ...page, sort: 'name' }
  const { data } = useQuery({
    queryKey: [...listKey(deviceGroup), wire],
    queryFn: ({ signal }) => calls.list(deviceGroup, wire, { signal }),
    enabled: mayList,
  })
  if (!mayList || !data) return null
  return (
    <Card title={t('batch.groups')} empty={data.rows.length === 0 ? t('batch.noGroups') : undefined}>
      {data.rows.map((group) => (
        <Named key={group.id} meant={targetOfGroup(group)} count={reader.number(group.deviceCount)} mayTell={mayTell} />
      ))}
    </Card>
  )
}
