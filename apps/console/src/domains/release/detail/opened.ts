import { later } from '../../../shell/later.tsx'

export const StepsDrawer = later(async () => (await import('./StepsDrawer.tsx')).StepsDrawer)
