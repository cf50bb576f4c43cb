import type { Resource, Row } from '@campanile/contract/kit'
import type { releaseStatisticFields } from '@campanile/contract/release'

/** A list of what became of each thing of a kind. */
export type StatisticResource = Resource & { readonly fields: typeof releaseStatisticFields }
export type StatisticRow = Row<Resource<typeof releaseStatisticFields>>
