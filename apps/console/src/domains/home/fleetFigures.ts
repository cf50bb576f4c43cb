import type { Statistics } from '@campanile/contract/device'

export interface FleetFigure {
  name:
    | 'totalDevices'
    | 'onlineToday'
    | 'offlineToday'
    | 'warehouse'
    | 'distributed'
    | 'currentDistribution'
    | 'certificates'
    | 'charging'
    | 'breakdown'
    | 'working'
    | 'idle'
    | 'active'
  value: number
  /** The rows the figure counts. */
  to: string
  /** Of which it is a share, where that says something. */
  of?: number
  /** Somebody has to do something about these of them. */
  urgent?: { count: number; to: string }
}

const devices = '/device/list'
const licences = '/device/license/iot'
const inUse = 'activationStatus=1&activationStatus=2&activationStatus=3'

/** The fleet in figures, each with the list that counts the same. */
export const fleetFigures = (figures: Statistics, maySeeLicences: boolean): FleetFigure[] => {
  const { totalNum, distributed, licencesExpiring } = figures
  const all: (FleetFigure | false)[] = [
    { name: 'totalDevices', value: totalNum, to: devices },
    { name: 'onlineToday', value: figures.onlineToday, of: distributed, to: `${devices}?seenToday=true` },
    { name: 'offlineToday', value: figures.offlineToday, of: distributed, to: `${devices}?seenToday=false` },
    { name: 'warehouse', value: figures.warehouse, of: totalNum, to: `${devices}?activationStatus=0` },
    { name: 'distributed', value: distributed, of: totalNum, to: `${devices}?${inUse}` },
    { name: 'currentDistribution', value: figures.currentDistribution, to: `${devices}?enrolled=true` },
    maySeeLicences && {
      name: 'certificates',
      value: figures.deviceCertCount,
      to: `${licences}?state=active&state=expiring`,
      ...(licencesExpiring > 0 && { urgent: { count: licencesExpiring, to: `${licences}?state=expiring` } }),
    },
  ]
  return all.filter((figure) => figure !== false)
}

/** What robots are at, where there are some. */
export const robotFigures = ({
  chargingNum,
  breakdownNum,
  workingNum,
  idleNum,
  activeNum,
}: Statistics): FleetFigure[] => [
  { name: 'working', value: workingNum, to: `${devices}?robotState=working` },
  { name: 'idle', value: idleNum, to: `${devices}?robotState=idle` },
  { name: 'charging', value: chargingNum, to: `${devices}?charging=charging` },
  { name: 'breakdown', value: breakdownNum, to: `${devices}?robotState=breakdown` },
  { name: 'active', value: activeNum, to: `${devices}?active=true` },
]
