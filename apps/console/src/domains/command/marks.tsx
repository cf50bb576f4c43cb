/** What other rooms show of settings and tasks; apart from the pickers, whose users would otherwise fetch both. */
export { ItemValue, useItemName } from './setting/ItemValue.tsx'
export { CommandStateMark } from './task/states.tsx'
