// Written from the migrated schema; do not edit.
// biome-ignore lint/suspicious/noEmptyInterface: the schema has no tables yet
export interface DB {}
