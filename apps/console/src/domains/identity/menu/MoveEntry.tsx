import { type MenuNode, menu } from '@campanile/contract/identity'
import { Button, Modal } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { calls } from '../../../kit/calls.ts'
import { useReader } from '../../../kit/index.ts'
import { useRun } from '../../../kit/useAction.ts'
import { everyNode, lastOrder } from './menuTree.ts'
import { ParentPicker } from './ParentPicker.tsx'

interface Props {
  tree: readonly MenuNode[]
  node: MenuNode
  onClose: () => void
  onMoved: () => Promise<void>
}

/** Puts an entry with everything below it under another parent, behind what stands there. */
export function MoveEntry({ tree, node, onClose, onMoved }: Props) {
  const { t } = useTranslation()
  const reader = useReader(menu)
  const id = useId()
  const [parentId, setParentId] = useState(node.parentId)
  const { running, run } = useRun(menu, onMoved)
  const unchanged = parentId === node.parentId
  const move = async () => {
    const siblings = parentId === null ? tree : (everyNode(tree).find((each) => each.menuId === parentId)?.list ?? [])
    const done = await run({
      call: async () => {
        await calls.update(menu, { id: node.menuId, parentId, orderNum: lastOrder(siblings) })
        return null
      },
      done: t('menu.moved', { name: reader.names(node.name) }),
    })
    if (done) onClose()
  }
  return (
    <Modal
      open
      width={440}
      title={t('menu.moveTitle', { name: reader.names(node.name) })}
      onCancel={onClose}
      footer={[
        <Button key="cancel" onClick={onClose}>
          {t('kit.cancel')}
        </Button>,
        <Button key="move" type="primary" loading={running} onClick={unchanged ? onClose : move}>
          {t('menu.action.move')}
        </Button>,
      ]}
    >
      <div className="kit-form">
        <div className="field">
          <label htmlFor={id}>{t('menu.newParent')}</label>
          <ParentPicker
            id={id}
            label={t('menu.newParent')}
            tree={tree}
            type={node.type}
            moving={node.menuId}
            value={parentId}
            onChange={setParentId}
          />
        </div>
      </div>
    </Modal>
  )
}
