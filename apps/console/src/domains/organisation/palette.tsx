import type { KindView } from '../../shell/palette/kinds.ts'

export const kinds: Readonly<Record<string, KindView>> = { organisation: { icon: 'organisation' } }
