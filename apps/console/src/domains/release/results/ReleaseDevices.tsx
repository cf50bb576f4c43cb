import type { Resource } from '@campanile/contract/kit'
import { releaseDetail, type releaseFields } from '@campanile/contract/release'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { calls, SoftTag, Time, usePermitted, useReader } from '../../../kit/index.ts'
import { listKey } from '../../../kit/list/useResourceList.ts'
import { useTabTitle } from '../../../shell/Page.tsx'
import { toneOfProgress } from '../detail/story.ts'
import { ReleaseResults, type ResultResource } from './ReleaseResults.tsx'

interface Props {
  /** The history the release stands in. */
  history: Resource & { readonly fields: typeof releaseFields }
  devices: ResultResource
}

/** The devices of the release that the address names, below what it brought. */
export function ReleaseDevices({ history, devices }: Props) {
  const releaseId = Number(useParams().id)
  return (
    <ReleaseResults
      resource={devices}
      fixed={{ releaseId, createTime: undefined, startTime: undefined, endTime: undefined, action: undefined }}
      above={<OfRelease history={history} id={releaseId} />}
    />
  )
}

function OfRelease({ history, id }: { history: Props['history']; id: number }) {
  const reader = useReader(history)
  const mayOpen = usePermitted(releaseDetail.perm)
  const { data } = useQuery({
    queryKey: [...listKey(history), 'one', id],
    queryFn: ({ signal }) => calls.list(history, { ids: [id], page: 1, pageSize: 1 }, { signal }),
  })
  const row = data?.rows[0]
  const name = row && [row.itemName, row.itemVersion].filter(Boolean).join(' ')
  useTabTitle(name, true)
  if (!row) return null
  return (
    <p className="of-release">
      <strong>{name}</strong>
      <SoftTag tone={toneOfProgress[row.progress]}>{reader.option('progress', row.progress)}</SoftTag>
      <span className="quiet">
        {[reader.option('action', row.action), reader.option('mode', row.mode), row.creatorName]
          .filter(Boolean)
          .join(' · ')}
        {' · '}
        <Time value={row.createTime} reader={reader} />
      </span>
      {mayOpen && <Link to={`/release/detail/${id}`}>{reader.t('releaseStatistic.open', { number: row.number })}</Link>}
    </p>
  )
}
