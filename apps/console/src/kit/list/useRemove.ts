import type { Resource } from '@campanile/contract/kit'
import { calls } from '../calls.ts'
import type { AnyRow, Reader } from '../reader.ts'
import { usePermitted, useRun } from '../useAction.ts'
import { useConfirm } from '../useConfirm.tsx'
import type { Chosen } from './SelectionBar.tsx'
import { nothing, withRows } from './selection.ts'
import type { ResourceList } from './useResourceList.ts'

/** Deleting asks with the row's name or the count, and afterwards says what was left out and why. */
export const useRemove = (resource: Resource, list: ResourceList, reader: Reader) => {
  const permitted = usePermitted(resource.perms.remove)
  const confirm = useConfirm()
  const { run } = useRun(resource)
  const { t } = reader

  const ask = (title: string, count: number) =>
    confirm({
      title,
      text: t('kit.remove.text'),
      verb: reader.action('remove', count === 1 ? undefined : count),
      danger: true,
    })
  const remove = (ids: number[]) =>
    run({
      call: () => calls.remove(resource, ids),
      asked: ids.length,
      done: t('kit.remove.done', { count: ids.length }),
    })

  return {
    permitted,
    one: async (row: AnyRow) => {
      const title = t('kit.confirmNamed', { action: reader.action('remove'), name: reader.identity(row) })
      if ((await ask(title, 1)) && (await remove([row.id])))
        list.selection.set(withRows(list.selection.get(), [row.id], false))
    },
    many: async ({ count, ids }: Chosen) => {
      const title = t('kit.confirmCounted', { action: reader.action('remove', count) })
      if ((await ask(title, count)) && (await remove(await ids()))) list.selection.set(nothing)
    },
  }
}
