import { device } from '@campanile/contract/device'
import type { Row } from '@campanile/contract/kit'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { calls } from '../../../kit/index.ts'
import { readStored, writeStored } from '../../../shell/storage.ts'

export type BatchDevice = Pick<
  Row<typeof device>,
  'sn' | 'batchNumber' | 'deviceType' | 'iotStatus' | 'activationStatus'
>

const shelf = 'session.batch.devices'
/** As many as fit an address: serial numbers have up to 64 characters. */
const atOnce = 100

const parts = (sns: readonly string[]) =>
  Array.from({ length: Math.ceil(sns.length / atOnce) }, (_, at) => sns.slice(at * atOnce, (at + 1) * atOnce))

const load = async (sns: readonly string[], signal: AbortSignal): Promise<Map<string, BatchDevice>> => {
  const found = new Map<string, BatchDevice>()
  for (const part of parts(sns)) {
    const wire = { sn: part.join('/'), page: 1, pageSize: atOnce }
    for (const row of (await calls.list(device, wire, { signal })).rows) found.set(row.sn, row)
  }
  return found
}

/** What was chosen stays in this tab until it is cleared, whatever is looked at meanwhile (behaviour: console.batch-stays). */
export const useBatchDevices = () => {
  const [sns, setSns] = useState<readonly string[]>(() => {
    const stored = readStored('tab', shelf)
    return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : []
  })
  const { data: known, isPending } = useQuery({
    queryKey: ['list', device.name, 'batch', sns],
    queryFn: ({ signal }) => load(sns, signal),
    enabled: sns.length > 0,
  })
  return {
    sns,
    /** A serial nobody here knows stays in sight; the preview says what is wrong with it. */
    devices: sns.map((sn): Partial<BatchDevice> & { sn: string } => known?.get(sn) ?? { sn }),
    loading: isPending && sns.length > 0,
    choose: (next: readonly string[]) => {
      setSns(next)
      writeStored('tab', shelf, next.length > 0 ? next : undefined)
    },
  }
}
