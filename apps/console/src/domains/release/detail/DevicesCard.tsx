import { EllipsisOutlined } from '@ant-design/icons'
import type { Row } from '@campanile/contract/kit'
import { releaseDevice, releaseDeviceMachine } from '@campanile/contract/release'
import { Button, Select } from 'antd'
import { useState } from 'react'
import { DeviceLink } from '../../../kit/DeviceLink.tsx'
import { Failed } from '../../../kit/Failed.tsx'
import { SoftTag, usePermitted, useReader } from '../../../kit/index.ts'
import { SearchInput } from '../../../kit/inputs/SearchInput.tsx'
import { Pager } from '../../../kit/list/Pager.tsx'
import { useNarrow } from '../../../kit/list/useNarrow.ts'
import { type ResourceList, useListRows } from '../../../kit/list/useResourceList.ts'
import { timeText } from '../../../kit/time.ts'
import { useExport } from '../../../kit/transfer/useExport.ts'
import { MenuButton } from '../../../shell/menus/MenuButton.tsx'
import { Percent } from './Percent.tsx'
import { reasonText } from './reasonText.ts'
import { countOf, type Detail, type Segment, secondText, segmentOf, segments, toneOfDevice } from './story.ts'
import type { ReleaseActions } from './useReleaseActions.ts'
import './devices.css'

type DeviceRow = Row<typeof releaseDevice>
interface Props {
  detail: Detail
  list: ResourceList<typeof releaseDevice>
  actions: ReleaseActions
}

const columns = ['sn', 'departmentId', 'wave', 'state', 'percent', 'attempt', 'reason', 'changeTime'] as const

/** The devices of a release, failed ones first, in the parts people look at. */
export function DevicesCard({ detail: { row, waves }, list, actions }: Props) {
  const reader = useReader(releaseDevice)
  const { t } = reader
  const narrow = useNarrow()
  const mayExport = usePermitted(releaseDevice.perms.export)
  const exporting = useExport(list as unknown as ResourceList, columns)
  const rows = useListRows(list as unknown as ResourceList) as readonly DeviceRow[]
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const { filters, page, pageSize } = list.state
  const segment = segmentOf(filters)
  const show = (next: Segment | undefined) => {
    const { told, state }: { told?: boolean; state?: readonly string[] } = next ? segments[next] : {}
    setTicked(new Set())
    list.setFilter({ told, state, reason: undefined })
  }
  const tick = (sns: readonly string[], on: boolean) =>
    setTicked((before) => {
      const next = new Set(before)
      for (const sn of sns) on ? next.add(sn) : next.delete(sn)
      return next
    })
  const chosen = rows.filter(({ sn }) => ticked.has(sn))
  const can = (event: 'retry' | 'cancel') => chosen.filter(({ state }) => releaseDeviceMachine.can(state, event))
  const run = async (action: 'retryDevices' | 'cancelDevices', sns: string[]) => {
    if (await actions[action].run({ id: row.id, sns }, sns.length)) setTicked(new Set())
  }
  const parts = { list, reader, rows, ticked, tick, run, actions }
  const ticks = actions.retryDevices.permitted || actions.cancelDevices.permitted
  return (
    <section className="card release-devices" aria-label={t('releaseDetail.devices')}>
      <div className="release-devices-head">
        <h2>
          {t('releaseDetail.devices')} <span className="quiet figure">{reader.number(row.total)}</span>
        </h2>
        <fieldset className="release-segments" aria-label={t('releaseDetail.devices')}>
          <button type="button" aria-pressed={Object.keys(filters).length === 0} onClick={() => show(undefined)}>
            {t('releaseDetail.segment.all')} {reader.number(row.total)}
          </button>
          {inUse(row).map((each) => (
            <button key={each} type="button" aria-pressed={segment === each} onClick={() => show(each)}>
              {t(`releaseDetail.segment.${each}`)} {reader.number(countOf(row, each))}
            </button>
          ))}
        </fieldset>
        <span className="spread" />
        <SearchInput
          className="filter-input"
          label={t('kit.filter.several', { label: reader.field('sn') })}
          defaultValue={typeof filters.sn === 'string' ? filters.sn : ''}
          onChange={(text) => list.typeFilter('sn', text)}
          onBlur={list.endTyping}
        />
        {waves.length > 1 && (
          <Select
            aria-label={reader.field('wave')}
            value={
              Array.isArray(filters.wave)
                ? Number(filters.wave[0])
                : typeof filters.wave === 'string'
                  ? Number(filters.wave)
                  : 0
            }
            onChange={(wave) => list.setFilter({ wave: wave === 0 ? undefined : String(wave) })}
            options={[
              { value: 0, label: t('releaseDetail.wavesAny') },
              ...waves.map(({ wave }) => ({ value: wave, label: t('releaseDetail.waveName', { wave }) })),
            ]}
          />
        )}
        {mayExport && (
          <Button loading={exporting.running} onClick={exporting.run}>
            {t('kit.list.export')}
          </Button>
        )}
      </div>
      {ticked.size > 0 && (
        <div className="release-chosen" role="toolbar" aria-label={t('kit.selection.label')}>
          <strong>{t('releaseDetail.selected', { shown: reader.number(ticked.size) })}</strong>
          {actions.retryDevices.permitted && (
            <Button
              size="small"
              disabled={can('retry').length === 0}
              title={can('retry').length === 0 ? t('releaseDetail.retryBlocked') : undefined}
              onClick={() =>
                run(
                  'retryDevices',
                  can('retry').map(({ sn }) => sn),
                )
              }
            >
              {t('release.action.retryDevices')} {reader.number(can('retry').length)}
            </Button>
          )}
          {actions.cancelDevices.permitted && (
            <Button
              size="small"
              disabled={can('cancel').length === 0}
              title={can('cancel').length === 0 ? t('releaseDetail.cancelBlocked') : undefined}
              onClick={() =>
                run(
                  'cancelDevices',
                  can('cancel').map(({ sn }) => sn),
                )
              }
            >
              {t('release.action.cancelDevices')} {reader.number(can('cancel').length)}
            </Button>
          )}
          <Button size="small" type="text" onClick={() => setTicked(new Set())}>
            {t('kit.selection.clear')}
          </Button>
        </div>
      )}
      {list.error && !list.known ? (
        <Failed error={list.error} onRetry={list.reload} />
      ) : narrow ? (
        <DeviceCards {...parts} />
      ) : (
        <DeviceTable {...parts} ticks={ticks} />
      )}
      {list.known && rows.length === 0 && (
        <p className="card-empty">{t(list.isFiltered ? 'kit.list.noMatch' : 'releaseDevice.empty')}</p>
      )}
      {list.total > pageSize && (
        <Pager page={page} pageSize={pageSize} total={list.total} onPage={list.setPage} narrow={narrow} />
      )}
    </section>
  )
}

/** Where nobody waits, everybody was told. */
const inUse = (row: Detail['row']) =>
  (Object.keys(segments) as Segment[]).filter((each) => row.waiting > 0 || (each !== 'told' && each !== 'waiting'))

interface Parts {
  list: ResourceList<typeof releaseDevice>
  reader: ReturnType<typeof useReader>
  rows: readonly DeviceRow[]
  ticked: ReadonlySet<string>
  tick: (sns: readonly string[], on: boolean) => void
  run: (action: 'retryDevices' | 'cancelDevices', sns: string[]) => Promise<void>
  actions: ReleaseActions
}

function DeviceTable({ list, reader, rows, ticked, tick, ticks, run, actions }: Parts & { ticks: boolean }) {
  const { t } = reader
  const here = rows.map(({ sn }) => sn)
  const all = here.length > 0 && here.every((sn) => ticked.has(sn))
  return (
    <div className="plain-scroll">
      <table className="list-table" data-busy={list.refreshing}>
        <caption className="visually-hidden">{t('releaseDetail.devices')}</caption>
        <thead>
          <tr>
            {ticks && (
              <th scope="col" className="tick">
                <label className="tick-box">
                  <input
                    type="checkbox"
                    checked={all}
                    aria-label={t('kit.list.selectPage')}
                    onChange={({ target }) => tick(here, target.checked)}
                  />
                </label>
              </th>
            )}
            {columns.map((name) => (
              <th key={name} scope="col" aria-sort={ariaSort(list.state.sort, name)}>
                <button type="button" className="sort" onClick={() => list.sortBy(name)}>
                  {reader.field(name)}{' '}
                  <span className="sort-mark" aria-hidden="true">
                    {sortMark(list.state.sort, name)}
                  </span>
                </button>
              </th>
            ))}
            <th scope="col" className="menu">
              <span className="visually-hidden">{t('kit.list.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} className={ticked.has(row.sn) ? 'selected' : undefined}>
              {ticks && (
                <td className="tick">
                  <label className="tick-box">
                    <input
                      type="checkbox"
                      checked={ticked.has(row.sn)}
                      aria-label={t('kit.list.selectRow', { name: row.sn })}
                      onChange={({ target }) => tick([row.sn], target.checked)}
                    />
                  </label>
                </td>
              )}
              <th scope="row" className="identity">
                <DeviceLink sn={row.sn} />
              </th>
              <td>{row.departmentName}</td>
              <td className="figure">{row.wave}</td>
              <td>
                <DeviceStateTag row={row} reader={reader} />
              </td>
              <td>
                <Percent {...row} />
              </td>
              <td className="figure">{attemptText(row, reader)}</td>
              <td title={reasonText(row, reader)}>{reasonText(row, reader)}</td>
              <td>
                <time className="mono" dateTime={row.changeTime} title={timeText(new Date(row.changeTime))}>
                  {secondText(row.changeTime)}
                </time>
              </td>
              <td className="menu">
                <RowMenu row={row} reader={reader} run={run} actions={actions} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** On a phone a row is a card of two lines. */
function DeviceCards({ reader, rows, run, actions }: Parts) {
  return (
    <ul className="list-cards">
      {rows.map((row) => (
        <li key={row.id}>
          <div className="card-lines">
            <div className="card-line">
              <DeviceLink sn={row.sn} />
              <DeviceStateTag row={row} reader={reader} />
            </div>
            <div className="card-line second">
              <span className="card-fact">{row.departmentName}</span>
              <span className="card-fact">{reader.t('releaseDetail.waveName', { wave: row.wave })}</span>
              {row.reason !== null && <span className="card-fact">{reasonText(row, reader)}</span>}
              <span className="card-fact">{secondText(row.changeTime)}</span>
            </div>
          </div>
          <RowMenu row={row} reader={reader} run={run} actions={actions} />
        </li>
      ))}
    </ul>
  )
}

function DeviceStateTag({ row: { state, told }, reader }: { row: DeviceRow; reader: Parts['reader'] }) {
  return (
    <SoftTag tone={toneOfDevice[state]}>
      {state === 'published' && !told ? reader.t('releaseDetail.wave.waiting') : reader.option('state', state)}
    </SoftTag>
  )
}

/** Cancel stays in sight where it is not possible now, with the reason. */
function RowMenu({ row, reader, run, actions }: Pick<Parts, 'reader' | 'run' | 'actions'> & { row: DeviceRow }) {
  const { t } = reader
  const item = (action: 'retryDevices' | 'cancelDevices', event: 'retry' | 'cancel', blocked: string) => {
    const can = releaseDeviceMachine.can(row.state, event)
    return actions[action].permitted
      ? [{ key: action, label: t(`release.action.${action}`), disabled: !can, ...(can ? {} : { title: t(blocked) }) }]
      : []
  }
  const items = [
    ...item('retryDevices', 'retry', 'releaseDetail.retryBlocked'),
    ...item('cancelDevices', 'cancel', 'releaseDetail.cancelBlocked'),
  ]
  if (items.length === 0) return null
  return (
    <MenuButton
      className="quiet-button"
      aria-label={t('kit.list.rowMenu', { name: row.sn })}
      content={{ items, choose: (key) => void run(key as 'retryDevices', [row.sn]) }}
    >
      <EllipsisOutlined />
    </MenuButton>
  )
}

const attemptText = ({ attempt, attempts, told }: DeviceRow, { t }: Parts['reader']) =>
  told && attempt > 0 ? t('releaseDetail.attempt', { attempt, attempts: Math.max(attempt, attempts) }) : '–'

const sortMark = (sort: string, name: string) => (sort === name ? '↑' : sort === `-${name}` ? '↓' : '')
const ariaSort = (sort: string, name: string) =>
  sort === name ? ('ascending' as const) : sort === `-${name}` ? ('descending' as const) : undefined
