import { CloseOutlined } from '@ant-design/icons'
import { device } from '@campanile/contract/device'
import { Button } from 'antd'
import { useMemo, useState } from 'react'
import { DeviceLink } from '../../../kit/DeviceLink.tsx'
import { useReader } from '../../../kit/index.ts'
import { SearchInput } from '../../../kit/inputs/SearchInput.tsx'
import { Pager } from '../../../kit/list/Pager.tsx'
import { useNarrow } from '../../../kit/list/useNarrow.ts'
import { useConfirm } from '../../../kit/useConfirm.tsx'
import { IotStatus } from '../pick/IotStatus.tsx'
import { matching } from './matching.ts'
import { useBatchNumbers, usePageFacts } from './serialFacts.ts'
import './selection.css'

const pageSize = 10

interface Props {
  sns: readonly string[]
  onRemove: (sns: ReadonlySet<string>) => void
  onClear: () => void
  /** Beside other things: fewer columns and buttons. */
  beside?: boolean
}

/** The devices that were chosen one by one, held in the browser: looked through, found by serial and batch number, taken out. */
export function SelectionTable({ sns, onRemove, onClear, beside = false }: Props) {
  const narrow = useNarrow() || beside
  const reader = useReader(device)
  const { t } = reader
  const confirm = useConfirm()
  const [sn, setSn] = useState('')
  const [batch, setBatch] = useState('')
  const [page, setPage] = useState(1)
  const numbers = useBatchNumbers(sns, batch.trim() !== '')
  const found = useMemo(() => matching(sns, { sn, batch }, numbers), [sns, sn, batch, numbers])
  const last = Math.max(1, Math.ceil(found.length / pageSize))
  const at = Math.min(page, last)
  const inSight = found.slice((at - 1) * pageSize, at * pageSize)
  const known = usePageFacts(inSight)
  const filtered = sn.trim() !== '' || batch.trim() !== ''
  const searching = batch.trim() !== '' && numbers === undefined
  const clear = async () => {
    const verb = t('deviceSelection.clear')
    const title = t('deviceSelection.clearTitle', { count: sns.length, shown: reader.number(sns.length) })
    if (await confirm({ title, verb, danger: true })) onClear()
  }
  const columns = [
    'sn',
    'batchNumber',
    ...(narrow ? [] : (['deviceType'] as const)),
    'iotStatus',
  ] as const satisfies readonly (keyof typeof device.fields)[]
  return (
    <section className="selection" aria-label={t('deviceSelection.title')}>
      <search className="filter-bar" aria-label={t('kit.filter.label')}>
        <SearchInput className="filter-input" label={reader.field('sn')} value={sn} onChange={setSn} />
        <SearchInput className="filter-input" label={reader.field('batchNumber')} value={batch} onChange={setBatch} />
        <span className="spread" />
        {filtered && found.length > 0 && !searching && (
          <Button size="small" onClick={() => onRemove(new Set(found))}>
            {t('deviceSelection.removeThese', { count: found.length, shown: reader.number(found.length) })}
          </Button>
        )}
        <Button size="small" onClick={clear}>
          {t('deviceSelection.clear')}
        </Button>
      </search>
      <div className="plain-scroll">
        <table className="plain-table">
          <caption className="visually-hidden">{t('deviceSelection.title')}</caption>
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {reader.field(name)}
                </th>
              ))}
              <th scope="col">
                <span className="visually-hidden">{t('deviceSelection.remove')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {inSight.map((each) => {
              const facts = known.get(each)
              return (
                <tr key={each}>
                  <td>
                    <DeviceLink sn={each} />
                  </td>
                  <td>{facts?.batchNumber || '–'}</td>
                  {!narrow && <td>{facts ? reader.code('deviceType', facts.deviceType) : '–'}</td>}
                  <td>{facts ? <IotStatus state={facts.iotStatus} activation={facts.activationStatus} /> : '–'}</td>
                  <td className="right">
                    <Button
                      type="text"
                      size="small"
                      icon={<CloseOutlined />}
                      aria-label={t('deviceSelection.removeOne', { sn: each })}
                      onClick={() => onRemove(new Set([each]))}
                    />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      {searching && <p className="quiet">{t('kit.input.loading')}</p>}
      {!searching && found.length === 0 && <p className="quiet">{t('kit.list.noMatch')}</p>}
      {found.length > pageSize && (
        <Pager page={at} pageSize={pageSize} total={found.length} onPage={setPage} narrow={narrow} />
      )}
    </section>
  )
}
