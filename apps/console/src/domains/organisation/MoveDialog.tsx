import { type DepartmentNode, organisation } from '@campanile/contract/organisation'
import { useQueryClient } from '@tanstack/react-query'
import { Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { calls } from '../../kit/index.ts'
import { SearchInput } from '../../kit/inputs/SearchInput.tsx'
import { useRun } from '../../kit/useAction.ts'
import { moveRefusal, refusalText } from './refusal.ts'
import { OrganisationTree } from './tree/OrganisationTree.tsx'
import { stepsAbove } from './tree/treeRows.ts'
import { useOrganisationTree } from './tree/useOrganisationTree.ts'
import { forgetTree } from './useOrganisationNode.ts'

interface Props {
  moved: DepartmentNode
  onClose: () => void
  onMoved: (parent: DepartmentNode) => void
}

/** Chooses a new parent from the same tree; every place it cannot go to says why. */
export function MoveDialog({ moved, onClose, onMoved }: Props) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const tree = useOrganisationTree()
  const [target, setTarget] = useState<DepartmentNode>()
  const { running, run } = useRun(organisation, () => forgetTree(queries))
  const refusalOf = (node: DepartmentNode) => {
    const refusal = moveRefusal(moved, node)
    return refusal && refusalText(refusal, t)
  }
  const move = async () => {
    if (!target || running) return
    const done = t('organisation.done.move', { name: moved.name, parent: target.name })
    const input = { id: moved.id, parentId: target.id }
    if (await run({ call: () => calls.action(organisation, 'move', input), done })) onMoved(target)
  }
  const pathOf = (node: DepartmentNode) => node.path.map((step) => step.name).join(' / ')
  return (
    <Modal
      open
      width={640}
      title={t('organisation.move.title', { name: moved.name })}
      okText={t('organisation.move.verb')}
      cancelText={t('organisation.move.cancel')}
      okButtonProps={{ disabled: target === undefined, loading: running }}
      onOk={move}
      onCancel={onClose}
    >
      <div className="move-dialog">
        <dl className="facts">
          <div>
            <dt>{t('organisation.move.from')}</dt>
            <dd>
              {stepsAbove(moved)
                .map((step) => step.name)
                .join(' / ')}
            </dd>
          </div>
          <div aria-live="polite">
            <dt>{t('organisation.move.to')}</dt>
            <dd>{target ? pathOf(target) : t('organisation.move.choose')}</dd>
          </div>
        </dl>
        <SearchInput
          maxLength={64}
          label={t('organisation.tree.search')}
          value={tree.keyword}
          onChange={tree.setKeyword}
        />
        <OrganisationTree
          tree={tree}
          label={t('organisation.move.to')}
          refusal={refusalOf}
          chosenId={target?.id}
          onOpen={(node) => refusalOf(node) === undefined && setTarget(node)}
        />
        {moved.childCount > 0 && <p>{t('organisation.move.along', { count: moved.childCount })}</p>}
      </div>
    </Modal>
  )
}
