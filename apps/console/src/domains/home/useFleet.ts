import {
  appSpread,
  device,
  deviceActive,
  deviceStatistics,
  deviceTypes,
  firmwareSpread,
  modelSpread,
} from '@campanile/contract/device'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { calls } from '../../kit/index.ts'
import { readStored, writeStored } from '../../shell/storage.ts'
import { type ActivityUnit, rangeOf, type Span, units } from './activity.ts'

const figuresMs = 5_000
const shapeMs = 60_000

/** Shared with the device list, which shows some of the same figures. */
export const useStatistics = (wanted: boolean) =>
  useQuery({
    queryKey: ['deviceStatistics'],
    queryFn: ({ signal }) => calls.call(deviceStatistics, {}, { signal }),
    refetchInterval: figuresMs,
    enabled: wanted,
  })

const robotsName = 'session.robots'

/**
 * Whether any device one may see is a robot; robots come and go seldom. What it was last keeps their place until it is known,
 * so that nothing below them moves.
 */
export const useHasRobots = (): boolean | undefined => {
  const [before] = useState(() => readStored('tab', robotsName))
  const { data, isError } = useQuery({
    queryKey: ['list', device.name, 'robots'],
    queryFn: async ({ signal }) => {
      const { total } = await calls.list(device, { deviceType: [deviceTypes.robot], page: 1, pageSize: 1 }, { signal })
      writeStored('tab', robotsName, total > 0)
      return total > 0
    },
    staleTime: shapeMs,
  })
  if (isError) return false
  return data ?? (typeof before === 'boolean' ? before : undefined)
}

export const useActivity = (span: Span, unit: ActivityUnit) =>
  useQuery({
    queryKey: ['deviceActive', span, unit],
    queryFn: async ({ signal }) => {
      const range = rangeOf(span, Date.now())
      return { ...range, ...(await calls.call(deviceActive, { periodType: units[unit], ...range }, { signal })) }
    },
    refetchInterval: shapeMs,
    placeholderData: keepPreviousData,
  })

const spreads = { firmware: firmwareSpread, model: modelSpread, app: appSpread } as const
export type SpreadKind = keyof typeof spreads

export const useSpread = (kind: SpreadKind) =>
  useQuery({
    queryKey: ['deviceSpread', kind],
    queryFn: async ({ signal }) => Object.entries((await calls.call(spreads[kind], {}, { signal })).countJson),
    refetchInterval: shapeMs,
  })
