export { askToLeave } from './ask.ts'
export { useDirtyGuard, useKeptInput } from './dirty.ts'
export { openOver } from './overTab.tsx'
