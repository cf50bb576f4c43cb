// What a list screen needs. Forms, pickers and transfers are imported where they are used, so that a list stays light.
export { calls } from './calls.ts'
export { SoftTag, StateMark, type StateTone, Time } from './cells.tsx'
export { ListScreen } from './list/ListScreen.tsx'
export { useResourceList } from './list/useResourceList.ts'
export { type Reader, useReader } from './reader.ts'
export { sizeText } from './size.ts'
export { saveBlob } from './transfer/saveBlob.ts'
export { usePermitted } from './useAction.ts'
