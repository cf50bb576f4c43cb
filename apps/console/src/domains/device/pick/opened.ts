import { later } from '../../../shell/later.tsx'

/** Ticked, pasted or read from a file; its code comes when it opens. */
export const PickDialog = later(async () => (await import('./PickDialog.tsx')).PickDialog)
