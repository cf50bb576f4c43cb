import { later } from '../../../shell/later.tsx'

// In one file, because each file that names a late part also names all that part needs.
export const AttemptsDialog = later(async () => (await import('./AttemptsDialog.tsx')).AttemptsDialog)
export const RetryDialog = later(async () => (await import('./RetryDialog.tsx')).RetryDialog)
export const ResultDialog = later(async () => (await import('./ResultDialog.tsx')).ResultDialog)
/** Few tasks wait for their time. */
export const PlannedDevices = later(async () => (await import('./PlannedDevices.tsx')).PlannedDevices)
