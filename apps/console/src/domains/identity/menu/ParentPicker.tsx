import { type MenuNode, menuType } from '@campanile/contract/identity'
import { TreeSelect } from 'antd'
import { useTranslation } from 'react-i18next'
import { pickText } from '../../../shell/localised.ts'
import { currentLanguage } from '../../../shell/texts.ts'
import { possibleParents } from './menuTree.ts'

interface Props {
  id: string
  label: string
  tree: readonly MenuNode[]
  /** Of the entry that looks for a parent. */
  type: MenuNode['type']
  /** The entry itself, which cannot be its own parent. */
  moving?: number | undefined
  value: number | null
  onChange: (parentId: number | null) => void
  disabled?: boolean
  invalid?: boolean
}

const top = 0

interface Option {
  value: number
  title: string
  disabled: boolean
  children: Option[]
}

/** Every place an entry may stand; the others are there to find the way, but cannot be chosen. */
export function ParentPicker({
  id,
  label,
  tree,
  type,
  moving,
  value,
  onChange,
  disabled = false,
  invalid = false,
}: Props) {
  const { t } = useTranslation()
  const allowed = new Set(possibleParents(tree, type, moving))
  const toOption = (node: MenuNode): Option => ({
    value: node.menuId,
    title: pickText(node.name, currentLanguage()) ?? '',
    disabled: !allowed.has(node.menuId),
    children: node.list.filter((child) => child.type !== menuType.button).map(toOption),
  })
  const options = tree.map(toOption)
  return (
    <TreeSelect
      id={id}
      className="whole"
      aria-label={label}
      disabled={disabled}
      {...(invalid ? { status: 'error' as const } : {})}
      showSearch
      treeNodeFilterProp="title"
      treeDefaultExpandAll
      treeData={
        type === menuType.button
          ? options
          : [{ value: top, title: t('menu.topLevel'), disabled: false, children: [] }, ...options]
      }
      {...(value === null && type === menuType.button ? {} : { value: value ?? top })}
      onChange={(next: number) => onChange(next === top ? null : next)}
      placeholder={t('menu.chooseParent')}
    />
  )
}
