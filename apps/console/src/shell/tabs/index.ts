export { askToLeave } from './ask.ts'
export { useDirtyGuard } from './dirty.ts'
export { openOver } from './overTab.tsx'
