import { promotion } from '@campanile/contract/poster'
import { useMemo } from 'react'
import { ListScreen, useReader, useResourceList } from '../../kit/index.ts'
import { statusCell, useShownButtons } from './useShown.tsx'

/** Texts that devices show, released and taken back wave by wave. */
export default function PromotionsScreen() {
  const list = useResourceList(promotion)
  const reader = useReader(promotion)
  const cells = useMemo(() => statusCell(reader), [reader])
  return <ListScreen resource={promotion} list={list} cells={cells} rowButtons={useShownButtons('promotion', reader)} />
}
