import type { StateValues } from '@campanile/contract/protocol'
import { UpdateFailed } from './fault.ts'

export interface Conditions {
  readonly minBattery?: number | undefined
  readonly wifiOnly?: boolean | undefined
}

/** Whether the machine is in a state to be updated now; one that has no battery, or cannot tell its network, is. */
export const needConditions = ({ battery, charging, networkType }: StateValues, wanted: Conditions): void => {
  const { minBattery, wifiOnly } = wanted
  if (minBattery !== undefined && battery !== undefined && battery < minBattery && charging !== 'charging')
    throw new UpdateFailed('lowBattery', `${Math.round(battery)} %, ${minBattery} % are needed`)
  if (wifiOnly && networkType !== undefined && networkType !== 'wifi' && networkType !== 'ethernet')
    throw new UpdateFailed('wrongNetwork', networkType)
}
