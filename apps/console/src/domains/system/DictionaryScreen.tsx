import { dictionaryItem } from '@campanile/contract'
import { ListScreen, useResourceList } from '../../kit/index.ts'

/** Editable code tables. Codes the product knows itself may be renamed, not removed. */
export default function DictionaryScreen() {
  const list = useResourceList(dictionaryItem)
  return <ListScreen resource={dictionaryItem} list={list} removable={({ builtIn }) => !builtIn} />
}
