import { type DepartmentNode, departments } from '@campanile/contract/organisation'
import { TreeSelect } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { calls } from '../calls.ts'
import { pathText, useDepartmentLabels, useDepartmentNodes } from './departmentNodes.ts'
import { chosenIds, type PickerProps, tellChosen } from './pickerProps.ts'

type Props = PickerProps & {
  /** The name of the present value, when the row brought it along. */
  nameNow?: string | undefined
  /** Offers all that one reaches oneself, whichever organisation is entered. */
  origin?: boolean
}

/** A lazy tree; typing searches everywhere and shows each hit with its path. */
export function DepartmentPicker(props: Props) {
  const { t } = useTranslation()
  const [keyword, setKeyword] = useState('')
  const [children, setChildren] = useState<readonly DepartmentNode[]>([])
  const { origin = false } = props
  const tops = useDepartmentNodes({}, true, origin)
  const hits = useDepartmentNodes({ keyword }, keyword !== '', origin)
  const ids = chosenIds(props)
  const known = useDepartmentLabels(props.nameNow === undefined ? ids : [], origin)

  const searching = keyword !== ''
  const nodes = searching ? (hits.data ?? []) : [...(tops.data ?? []), ...children]
  const treeData = nodes.map((node) => ({
    id: node.id,
    value: node.id,
    pId: searching ? 0 : (node.parentId ?? 0),
    title: searching && node.path.length > 0 ? pathText(node) : node.name,
    label: node.name,
    isLeaf: searching || node.childCount === 0,
  }))
  const labelled = ids.map((id, at) => ({ value: id, label: props.nameNow ?? known[at] }))

  const load = async ({ value }: { value?: unknown }) => {
    const { rows } = await calls.call(departments, { parentId: Number(value) }, { origin })
    setChildren((before) => [...before.filter((node) => !rows.some((row) => row.id === node.id)), ...rows])
  }
  return (
    <TreeSelect
      {...(props.id === undefined ? {} : { id: props.id })}
      className="whole"
      treeDataSimpleMode
      labelInValue
      allowClear
      showSearch
      filterTreeNode={false}
      searchValue={keyword}
      onSearch={setKeyword}
      treeData={treeData}
      treeNodeLabelProp="label"
      loadData={load}
      multiple={props.multiple === true}
      // Ids carry their names with them: the node may not be loaded.
      value={(props.multiple ? labelled : labelled[0]) as never}
      onChange={(next) => tellChosen(props, next as never)}
      {...(props.onBlur ? { onBlur: props.onBlur } : {})}
      disabled={props.disabled === true}
      {...(props.invalid ? { status: 'error' as const } : {})}
      placeholder={props.disabled === true ? '–' : t('kit.input.chooseDepartment')}
      aria-label={props.label}
      aria-describedby={props.describedBy}
      notFoundContent={t(tops.isPending || hits.isFetching ? 'kit.input.loading' : 'kit.input.noHit')}
      styles={{ popup: { root: { maxHeight: 360, overflow: 'auto' } } }}
    />
  )
}
