import { releaseStep } from '@campanile/contract/release'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Drawer } from 'antd'
import { useState } from 'react'
import { DeviceLink } from '../../../kit/DeviceLink.tsx'
import { Failed } from '../../../kit/Failed.tsx'
import { calls, Time, useReader } from '../../../kit/index.ts'
import { Pager } from '../../../kit/list/Pager.tsx'
import { listKey } from '../../../kit/list/useResourceList.ts'
import { PlainTable } from '../../../kit/PlainTable.tsx'
import { stepText } from './StepText.tsx'

const pageSize = 50

/** Everything that happened to a release, the newest first. */
export function StepsDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const reader = useReader(releaseStep)
  const [page, setPage] = useState(1)
  const wire = { releaseId: id, sort: '-time', page, pageSize }
  const { data, error, refetch } = useQuery({
    queryKey: [...listKey(releaseStep), wire],
    queryFn: ({ signal }) => calls.list(releaseStep, wire, { signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <Drawer open size={720} title={reader.title} onClose={onClose}>
      {error && !data && <Failed error={error} onRetry={refetch} />}
      {data && (
        <>
          <PlainTable columns={(['time', 'sn', 'what', 'creatorName'] as const).map((name) => reader.field(name))}>
            {data.rows.map((step) => (
              <tr key={step.id}>
                <td>
                  <Time value={step.time} reader={reader} />
                </td>
                <td>{step.sn === null ? '–' : <DeviceLink sn={step.sn} />}</td>
                <td>{stepText(step, reader)}</td>
                <td>{step.creatorName ?? '–'}</td>
              </tr>
            ))}
          </PlainTable>
          {data.total > pageSize && <Pager page={page} pageSize={pageSize} total={data.total} onPage={setPage} />}
        </>
      )}
    </Drawer>
  )
}
