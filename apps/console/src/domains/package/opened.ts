import { later } from '../../shell/later.tsx'

export const AppQr = later(async () => (await import('./AppQr.tsx')).AppQr)
