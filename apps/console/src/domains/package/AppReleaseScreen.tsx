import { appDetail, appPackage } from '@campanile/contract/package'
import { useQuery } from '@tanstack/react-query'
import { Select, Skeleton } from 'antd'
import { useId } from 'react'
import { useNavigate, useParams } from 'react-router'
import { Failed } from '../../kit/Failed.tsx'
import { RowPicture } from '../../kit/files/RowFile.tsx'
import { Labelled } from '../../kit/form/Labelled.tsx'
import { calls, useReader } from '../../kit/index.ts'
import { timeText } from '../../kit/time.ts'
import { useTabTitle } from '../../shell/Page.tsx'
import { ReleasePage } from '../release/marks.tsx'
import { itemOf } from './app.ts'
import './store.css'

/** One app, of which one version is chosen, to devices that are gathered here. */
export default function AppReleaseScreen() {
  const reader = useReader(appPackage)
  const { t } = reader
  const field = useId()
  const navigate = useNavigate()
  const id = Number(useParams().id)
  const { data, error, refetch } = useQuery({
    queryKey: ['list', appPackage.name, 'detail', id],
    queryFn: ({ signal }) => calls.call(appDetail, { id }, { signal }),
    retry: false,
  })
  useTabTitle(data?.row.appName, true)
  if (error) return <Failed error={error} onRetry={refetch} />
  if (!data) return <Skeleton active />
  const { row, versions } = data
  return (
    <ReleasePage
      kind="app"
      purpose="appRelease"
      title={t('appPackage.releaseOf', { name: row.appName })}
      item={itemOf(row)}
    >
      {() => (
        <section className="card release-item app-item">
          {row.icon && <RowPicture resource={appPackage} name="icon" id={row.id} value={row.icon} />}
          <div>
            <strong>{row.appName}</strong>
            <span className="mono quiet">{row.packageName}</span>
          </div>
          <Labelled
            id={field}
            label={reader.field('version')}
            {...(versions.length > 1 && { help: t('appPackage.severalVersions', { count: versions.length }) })}
          >
            {(state) => (
              <Select
                {...state}
                className="whole"
                value={row.id}
                disabled={versions.length === 1}
                onChange={(chosen) => navigate(`/IOT/apk/release/${chosen}`, { replace: true })}
                options={versions.map(({ id: each, version, createTime }) => ({
                  value: each,
                  label: `${version} · ${timeText(new Date(createTime))}`,
                }))}
              />
            )}
          </Labelled>
        </section>
      )}
    </ReleasePage>
  )
}
