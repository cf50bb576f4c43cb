import { type Telling, tellDevices } from './tellDevices.tsx'

/** Opens the composer again over the tab it stood over; what was chosen and typed it finds by itself. */
export const reopen = (kept: { telling: Telling }, tab: string): void => tellDevices({ ...kept.telling, over: tab })
