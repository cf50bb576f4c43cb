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
import { calls } from '../../kit/index.ts'
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

/** Whether any device one may see is a robot; robots come and go seldom. */
export const useHasRobots = (): boolean => {
  const { data } = useQuery({
    queryKey: ['list', device.name, 'robots'],
    queryFn: ({ signal }) => calls.list(device, { deviceType: [deviceTypes.robot], page: 1, pageSize: 1 }, { signal }),
    staleTime: shapeMs,
  })
  return (data?.total ?? 0) > 0
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
