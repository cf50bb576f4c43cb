import { device, deviceGroup, type groupDetail } from '@campanile/contract/device'
import type { AnswerOf } from '@campanile/contract/kit'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Drawer, Skeleton } from 'antd'
import { useReader } from '../../../kit/index.ts'
import { FilterBar } from '../../../kit/list/FilterBar.tsx'
import { filterTexts } from '../../../kit/list/listState.ts'
import { useLocalFilters } from '../../../kit/list/useLocalFilters.ts'
import { listKey } from '../../../kit/list/useResourceList.ts'
import { useAction } from '../../../kit/useAction.ts'
import { describeError } from '../../../shell/errorText.ts'
import { IotStatus } from '../pick/IotStatus.tsx'
import { useDevicePage } from '../pick/useDevicePage.ts'
import { filtersOf } from './groupFilter.ts'
import { useGroup } from './useGroup.ts'
import '../pick/pick.css'

type Detail = AnswerOf<typeof groupDetail>

/** What a dynamic group goes by, with who matches at this moment. */
export function GroupFilter({ groupId, onClose }: { groupId: number; onClose: () => void }) {
  const { t } = useReader(deviceGroup)
  const { data, error } = useGroup(groupId)
  if (data) return <Editor {...data} onClose={onClose} />
  return (
    <Drawer open size={720} title={t('deviceGroup.action.setFilter')} onClose={onClose}>
      {error ? (
        <Alert type="error" showIcon title={describeError(error).title} description={describeError(error).text} />
      ) : (
        <Skeleton active />
      )}
    </Drawer>
  )
}

function Editor({ row, filter, onClose }: Detail & { onClose: () => void }) {
  const reader = useReader(device)
  const { t } = reader
  const queries = useQueryClient()
  const start = filtersOf(filter ?? {})
  // Type and department are the group's own; a filter that leans on a group would never end.
  const filters = useLocalFilters(device, start, [
    'groupId',
    'deviceType',
    ...(start.departmentId === undefined ? ['departmentId'] : []),
  ])
  const asked = filterTexts(filters.state.filters)
  const { data } = useDevicePage({ departmentId: [row.departmentId], deviceType: [row.deviceType], ...asked }, 1)
  const save = useAction(deviceGroup, 'setFilter', {
    onDone: () => queries.invalidateQueries({ queryKey: listKey(deviceGroup).slice(0, 1) }),
  })
  return (
    <Drawer
      open
      size={720}
      title={t('deviceGroup.filter.title', { name: row.name })}
      onClose={onClose}
      footer={
        <div className="drawer-buttons">
          <Button onClick={onClose}>{t('kit.cancel')}</Button>
          <Button
            type="primary"
            loading={save.running}
            onClick={async () => {
              if (await save.run({ groupId: row.id, filter: asked })) onClose()
            }}
          >
            {t('deviceGroup.filter.save')}
          </Button>
        </div>
      }
    >
      <div className="import-step">
        <p>{t('deviceGroup.filter.lead')}</p>
        <FilterBar list={filters} reader={reader} />
        {data && (
          <p role="status">
            <strong>{t('deviceGroup.filter.now', { count: data.total, shown: reader.number(data.total) })}</strong>{' '}
            {data.total > data.rows.length && <span className="quiet">{t('deviceGroup.filter.first')}</span>}
          </p>
        )}
        {data && data.rows.length > 0 && (
          <div className="pick-table">
            <table className="plain-table">
              <caption className="visually-hidden">{t('groupDevice.title')}</caption>
              <tbody>
                {data.rows.map((each) => (
                  <tr key={each.id}>
                    <td className="mono">{each.sn}</td>
                    <td>
                      <IotStatus state={each.iotStatus} activation={each.activationStatus} />
                    </td>
                    <td>{each.model ?? '–'}</td>
                    <td>{each.departmentName}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
    </Drawer>
  )
}
