import type { Kysely } from 'kysely'
// biome-ignore lint/complexity/noBannedTypes: stand-in until the platform lands
export type Db = Kysely<{}>
