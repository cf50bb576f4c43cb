import { device } from '@campanile/contract/device'
import type { Row } from '@campanile/contract/kit'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { calls } from '../../../kit/index.ts'

export type Known = Pick<Row<typeof device>, 'sn' | 'batchNumber' | 'deviceType' | 'iotStatus' | 'activationStatus'>

/** As many as fit an address: serial numbers have up to 64 characters. */
const atOnce = 100

const ask = async (sns: readonly string[], signal: AbortSignal): Promise<Known[]> =>
  sns.length === 0
    ? []
    : (await calls.list(device, { sn: sns.join('/'), page: 1, pageSize: atOnce }, { signal })).rows.map((row) => ({
        sn: row.sn,
        batchNumber: row.batchNumber,
        deviceType: row.deviceType,
        iotStatus: row.iotStatus,
        activationStatus: row.activationStatus,
      }))

const staleTime = 5 * 60_000

/** What is known of the devices of one page; a serial nobody here knows stays in sight with nothing beside it. */
export const usePageFacts = (sns: readonly string[]): ReadonlyMap<string, Known> => {
  const { data = [] } = useQuery({
    queryKey: ['selectedDevices', 'page', sns],
    queryFn: ({ signal }) => ask(sns, signal),
    staleTime,
    placeholderData: (before) => before,
  })
  return new Map(data.map((each) => [each.sn, each]))
}

/** Few questions at once: the server has others to answer. */
const lanes = 3

const askAll = async (sns: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, string>> => {
  const numbers = new Map<string, string>()
  const parts = Array.from({ length: Math.ceil(sns.length / atOnce) }, (_, at) =>
    sns.slice(at * atOnce, (at + 1) * atOnce),
  )
  const lane = async () => {
    for (let part = parts.shift(); part; part = parts.shift())
      for (const { sn, batchNumber } of await ask(part, signal)) numbers.set(sn, batchNumber ?? '')
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return numbers
}

/** Batch numbers of all of them, asked for once somebody looks for one. */
export const useBatchNumbers = (sns: readonly string[], wanted: boolean): ReadonlyMap<string, string> | undefined => {
  const key = useMemo(() => sns.join('/'), [sns])
  return useQuery({
    queryKey: ['selectedDevices', 'all', key],
    queryFn: ({ signal }) => askAll(sns, signal),
    enabled: wanted,
    staleTime,
  }).data
}
