export { askToLeave } from './ask.ts'
export { useDirtyGuard } from './dirty.ts'
