import { SearchOutlined } from '@ant-design/icons'
import { type DepartmentNode, departments } from '@campanile/contract/organisation'
import { useQuery } from '@tanstack/react-query'
import { Checkbox, Input, Skeleton, Tree } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { calls } from '../../../kit/calls.ts'
import { Failed } from '../../../kit/Failed.tsx'
import { showError } from '../../../shell/feedback.ts'
import { childrenOf, markOf, missingToRemove, toggle } from './departmentGrants.ts'
import { useDepartmentBranches } from './useDepartmentBranches.ts'

interface Props {
  id: string
  label: string
  /** Roots of the granted branches. */
  granted: readonly number[]
  onChange?: (ids: number[]) => void
  disabled?: boolean
  describedBy?: string | undefined
}

const chipsInSight = 12
const pathText = (node: DepartmentNode) => node.path.map((step) => step.name).join(' / ') || node.name

/** Departments loaded branch by branch. A ticked one covers everything below it, today's and tomorrow's. */
export function DepartmentTree({ id, label, granted, onChange, disabled = false, describedBy }: Props) {
  const { t } = useTranslation()
  const branches = useDepartmentBranches(granted)
  const [keyword, setKeyword] = useState('')
  const { known, tops } = branches
  const held = new Set(granted)
  const search = useQuery({
    queryKey: ['role', 'departments', keyword],
    queryFn: async ({ signal }) => {
      const { rows } = await calls.call(departments, { keyword }, { signal })
      branches.meet(rows)
      return rows
    },
    enabled: keyword !== '',
  })
  if (tops === undefined)
    return branches.error === null ? <Skeleton active /> : <Failed error={branches.error} onRetry={branches.retry} />

  /** Unticking inside a granted branch needs the siblings on the way, loaded or not. */
  const tick = async (node: DepartmentNode) => {
    try {
      let now = known
      for (const parent of missingToRemove(known, node, held)) {
        const opened = await branches.open(parent)
        now = { byId: new Map([...now.byId, ...opened.byId]), opened: new Set([...now.opened, ...opened.opened]) }
      }
      onChange?.([...toggle(now, node, held)])
    } catch (error) {
      showError(error)
    }
  }
  const nameOf = (department: number) => known.byId.get(department)?.name ?? `#${department}`
  const all = [...known.byId.values()]
  const marked = (mark: 'full' | 'half') => all.filter((node) => markOf(known, node, held) === mark).map(({ id }) => id)

  return (
    <div className="grant-tree">
      <div className="grant-head">
        <Input.Search
          id={id}
          allowClear
          placeholder={t('role.tree.searchDepartments')}
          aria-label={t('role.tree.searchDepartments')}
          aria-describedby={describedBy}
          searchIcon={<SearchOutlined aria-label={t('role.tree.searchDepartments')} />}
          loading={search.isFetching}
          onChange={(event) => event.target.value === '' && setKeyword('')}
          onSearch={(text) => setKeyword(text.trim())}
          onPressEnter={(event) => event.preventDefault()}
        />
      </div>
      <p className="grant-count" role="status">
        {t('role.tree.departments', { count: granted.length })}
      </p>
      <div className="grant-chips">
        {granted.slice(0, chipsInSight).map((each) => (
          <span key={each} className="chip">
            {nameOf(each)}
            {!disabled && (
              <button
                type="button"
                aria-label={t('role.tree.remove', { name: nameOf(each) })}
                onClick={() => onChange?.(granted.filter((other) => other !== each))}
              >
                ×
              </button>
            )}
          </span>
        ))}
        {granted.length > chipsInSight && <span>{t('role.tree.more', { count: granted.length - chipsInSight })}</span>}
      </div>
      {keyword === '' ? (
        <Tree
          aria-label={label}
          checkable
          checkStrictly
          selectable={false}
          disabled={disabled}
          height={320}
          checkedKeys={{ checked: marked('full'), halfChecked: marked('half') }}
          loadData={({ key }) => branches.open(Number(key)).then(() => undefined)}
          loadedKeys={[...known.opened]}
          onCheck={(_, { node }) => {
            const ticked = known.byId.get(Number(node.key))
            if (ticked !== undefined) void tick(ticked)
          }}
          treeData={tops.map((node) => toEntry(node))}
        />
      ) : (
        <ul className="grant-hits" aria-label={t('role.tree.hits')}>
          {(search.data ?? []).map((node) => (
            <li key={node.id}>
              <Checkbox
                disabled={disabled}
                checked={markOf(known, node, held) === 'full'}
                indeterminate={markOf(known, node, held) === 'half'}
                onChange={() => void tick(node)}
              >
                {pathText(node)}
              </Checkbox>
            </li>
          ))}
          {search.data?.length === 0 && <li className="grant-empty">{t('kit.input.noHit')}</li>}
        </ul>
      )}
    </div>
  )

  function toEntry(node: DepartmentNode): Entry {
    return {
      key: node.id,
      title: node.name,
      isLeaf: node.childCount === 0,
      children: childrenOf(known, node.id).map(toEntry),
    }
  }
}

interface Entry {
  key: number
  title: string
  isLeaf: boolean
  children: Entry[]
}
