import { type MenuNode, menu, menuType } from '@campanile/contract/identity'
import { useTranslation } from 'react-i18next'
import { calls } from '../../../kit/calls.ts'
import { useReader } from '../../../kit/index.ts'
import type { RowAction } from '../../../kit/list/useRowMenu.tsx'
import { usePermitted, useRun } from '../../../kit/useAction.ts'
import { useConfirm } from '../../../kit/useConfirm.tsx'
import { showError } from '../../../shell/feedback.ts'
import { type MenuLine, moved } from './menuTree.ts'

interface Deps {
  tree: readonly MenuNode[]
  changed: () => Promise<void>
  onAdd: (parent: MenuNode) => void
  onEdit: (node: MenuNode) => void
  onMove: (node: MenuNode) => void
}

/** What may be done with an entry. What cannot be done now stays in sight with the reason. */
export function useMenuActions({ tree, changed, onAdd, onEdit, onMove }: Deps): (line: MenuLine) => RowAction[] {
  const { t } = useTranslation()
  const reader = useReader(menu)
  const confirm = useConfirm()
  const { run } = useRun(menu, changed)
  const mayCreate = usePermitted(menu.perms.create)
  const mayUpdate = usePermitted(menu.perms.update)
  const mayRemove = usePermitted(menu.perms.remove)

  const shift = async (node: MenuNode, by: -1 | 1) => {
    try {
      for (const change of moved(tree, node, by)) await calls.update(menu, change)
    } catch (error) {
      showError(error)
    }
    await changed()
  }
  const remove = async (node: MenuNode) => {
    const sure = await confirm({
      title: t('kit.confirmNamed', { action: reader.action('remove'), name: reader.names(node.name) }),
      text: t('menu.removeText'),
      verb: reader.action('remove'),
      danger: true,
    })
    if (sure) await run({ call: () => calls.remove(menu, [node.menuId]), done: t('kit.remove.done', { count: 1 }) })
  }
  const keptBecause = (node: MenuNode) =>
    node.builtIn ? t('menu.kept.builtIn') : node.list.length > 0 ? t('menu.kept.children') : undefined

  return ({ node, first, last }) => [
    ...(mayCreate && node.type !== menuType.button
      ? [{ key: 'add', label: t('menu.action.addChild'), run: () => onAdd(node) }]
      : []),
    { key: 'edit', label: t(mayUpdate ? 'kit.list.edit' : 'kit.list.view'), run: () => onEdit(node) },
    ...(mayUpdate
      ? [
          {
            key: 'up',
            label: t('menu.action.up'),
            blocked: first ? t('menu.kept.first') : undefined,
            run: () => shift(node, -1),
          },
          {
            key: 'down',
            label: t('menu.action.down'),
            blocked: last ? t('menu.kept.last') : undefined,
            run: () => shift(node, 1),
          },
          { key: 'move', label: t('menu.action.move'), run: () => onMove(node) },
        ]
      : []),
    ...(mayRemove
      ? [
          {
            key: 'remove',
            label: t('kit.list.remove'),
            danger: true,
            blocked: keptBecause(node),
            run: () => remove(node),
          },
        ]
      : []),
  ]
}
