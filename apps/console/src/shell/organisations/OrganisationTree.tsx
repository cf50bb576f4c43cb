import { Tree, type TreeDataNode } from 'antd'
import { type Key, useEffect, useState } from 'react'
import { showError } from '../feedback.ts'
import { useSession } from '../session/session.ts'
import { OrganisationTypeIcon } from './OrganisationTypeIcon.tsx'
import { childrenOf, type Organisation } from './organisation.ts'

type Level = ReadonlyMap<number | undefined, readonly Organisation[]>

const treeHeight = 320

/** Opens a level at a time; only the rows in view are in the page, so thousands of siblings stay quick. */
export function OrganisationTree({ onChoose }: { onChoose: (organisation: Organisation) => void }) {
  const user = useSession((state) => state.session?.user)
  const [levels, setLevels] = useState<Level>(new Map())
  const [expanded, setExpanded] = useState<Key[]>([])

  const load = async (parentId: number | undefined): Promise<void> => {
    try {
      const rows = await childrenOf(parentId)
      setLevels((now) => new Map(now).set(parentId, rows))
      // A single top says nothing by itself, so it opens at once.
      const [only] = rows
      if (parentId !== undefined || rows.length !== 1 || only === undefined) return
      await load(only.id)
      setExpanded([only.id])
    } catch (error) {
      showError(error)
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the first level is asked for once
  useEffect(() => void load(undefined), [])

  const byId = new Map([...levels.values()].flat().map((row) => [row.id, row]))

  const toNodes = (parentId: number | undefined): TreeDataNode[] =>
    (levels.get(parentId) ?? []).map((row) => ({
      key: row.id,
      title: row.name,
      icon: <OrganisationTypeIcon type={row.type} />,
      isLeaf: row.childCount === 0,
      ...(levels.has(row.id) && { children: toNodes(row.id) }),
    }))

  return (
    <Tree
      virtual
      height={treeHeight}
      blockNode
      showIcon
      treeData={toNodes(undefined)}
      expandedKeys={expanded}
      onExpand={setExpanded}
      loadData={({ key }) => load(Number(key))}
      selectedKeys={[user?.operating?.departmentId ?? user?.departmentId ?? 0]}
      onSelect={(_, { node }) => {
        const chosen = byId.get(Number(node.key))
        if (chosen !== undefined) onChoose(chosen)
      }}
    />
  )
}
