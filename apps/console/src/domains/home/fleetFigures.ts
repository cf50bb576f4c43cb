import type { Statistics } from '@campanile/contract/device'

export interface FleetFigure {
  name:
    | 'totalDevices'
    | 'seenToday'
    | 'away'
    | 'warehouse'
    | 'distributed'
    | 'licences'
    | 'charging'
    | 'breakdown'
    | 'working'
    | 'idle'
  value: number
  /** The rows the figure counts. */
  to: string
  /** Of which it is a share, where that says something. */
  of?: number
  /** What belongs to it and has rows of its own. */
  more?: { key: 'notToday' | 'enrolled' | 'expiring'; count: number; to: string; urgent?: boolean }
}

const devices = '/device/list'
const licences = '/device/license/iot'
const inUse = 'activationStatus=1&activationStatus=2&activationStatus=3'

/** The fleet in figures, each with the list that counts the same. While none is in the warehouse, all are in use: said once. */
export const fleetFigures = (figures: Statistics, maySeeLicences: boolean): FleetFigure[] => {
  const { totalNum, distributed, warehouse, currentDistribution, offlineToday, licencesExpiring } = figures
  const enrolled = { key: 'enrolled', count: currentDistribution, to: `${devices}?enrolled=true` } as const
  const all: (FleetFigure | false)[] = [
    { name: 'totalDevices', value: totalNum, to: devices, ...(warehouse === 0 && { more: enrolled }) },
    {
      name: 'seenToday',
      value: figures.onlineToday,
      to: `${devices}?seenToday=true`,
      of: distributed,
      ...(offlineToday > 0 && { more: { key: 'notToday', count: offlineToday, to: `${devices}?seenToday=false` } }),
    },
    { name: 'away', value: figures.awayNum, to: `${devices}?problem=away`, of: distributed },
    warehouse > 0 && { name: 'warehouse', value: warehouse, of: totalNum, to: `${devices}?activationStatus=0` },
    warehouse > 0 && {
      name: 'distributed',
      value: distributed,
      of: totalNum,
      to: `${devices}?${inUse}`,
      more: enrolled,
    },
    maySeeLicences && {
      name: 'licences',
      value: figures.deviceCertCount,
      to: `${licences}?state=active&state=expiring`,
      ...(licencesExpiring > 0 && {
        more: { key: 'expiring', count: licencesExpiring, to: `${licences}?state=expiring`, urgent: true },
      }),
    },
  ]
  return all.filter((figure) => figure !== false)
}

/** What robots are at, where there are some. */
export const robotFigures = ({ chargingNum, breakdownNum, workingNum, idleNum }: Statistics): FleetFigure[] => [
  { name: 'working', value: workingNum, to: `${devices}?robotState=working` },
  { name: 'idle', value: idleNum, to: `${devices}?robotState=idle` },
  { name: 'charging', value: chargingNum, to: `${devices}?charging=charging` },
  { name: 'breakdown', value: breakdownNum, to: `${devices}?robotState=breakdown` },
]
