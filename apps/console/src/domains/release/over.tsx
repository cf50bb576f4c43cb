import { type Releasing, releaseItem } from './releaseItem.tsx'

/** Opens the wizard again over the tab it stood over; what was chosen and typed it finds by itself. */
export const reopen = (kept: { releasing: Releasing }, tab: string): void =>
  releaseItem({ ...kept.releasing, over: tab })
