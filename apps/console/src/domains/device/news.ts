import type { DeviceDetail } from '@campanile/contract/device'

/** What the server tells of a device that somebody looks at; only what is new. */
export interface DeviceNews {
  sn: string
  iotStatus?: string
  /** Columns of its row that are the device's own word, beside its values. */
  facts?: Readonly<Record<string, unknown>>
  /** `ts` in milliseconds, by the device's clock, or with `received` by the server's. */
  values?: Values
  /** By the device's own names; only told of a device whose page is open. */
  own?: Values
}
type Values = Readonly<Record<string, { value: string | number | boolean; ts: number; received?: true }>>

export type Row = Readonly<Record<string, unknown>>

/** The row as it is now; the same object when nothing of it changed, so that nothing is drawn anew. */
export const withNews = <T extends Row>(row: T, { iotStatus, facts = {}, values = {} }: DeviceNews): T => {
  const told: Record<string, unknown> = { ...facts }
  if (iotStatus !== undefined) told.iotStatus = iotStatus
  for (const [name, { value }] of Object.entries(values))
    told[name] ??= name === 'battery' ? Math.round(Number(value)) : value
  const changed = Object.keys(told).filter((name) => name in row && row[name] !== told[name])
  return changed.length === 0 ? row : { ...row, ...Object.fromEntries(changed.map((name) => [name, told[name]])) }
}

const dated = (values: Values = {}) =>
  Object.fromEntries(
    Object.entries(values).map(([name, { ts, ...told }]) => [name, { ...told, ts: new Date(ts).toISOString() }]),
  )

export const detailWithNews = (detail: DeviceDetail, news: DeviceNews): DeviceDetail => ({
  ...detail,
  row: withNews(detail.row, news),
  values: { ...detail.values, ...dated(news.values) },
  own: { ...detail.own, ...dated(news.own) },
})
