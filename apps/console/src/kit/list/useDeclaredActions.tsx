import type { Action, Resource } from '@campanile/contract/kit'
import { type ReactNode, useState } from 'react'
import { later } from '../../shell/later.tsx'
import { useNavigationMenu } from '../../shell/navigation/navigation.ts'
import { isPermitted } from '../../shell/permissions.ts'
import { useKeptInput } from '../../shell/tabs/index.ts'
import { calls } from '../calls.ts'
import type { ActionSubject } from '../form/ActionDrawer.tsx'
import { actionFormOf, type KeptForm } from '../form/keptForm.ts'
import { type AnyRow, useReader } from '../reader.ts'
import { useRun } from '../useAction.ts'
import type { BulkButton, RowButton } from './ListScreen.tsx'
import type { ResourceList } from './useResourceList.ts'

const ActionDrawer = later(async () => (await import('../form/ActionDrawer.tsx')).ActionDrawer)

/** A row can do what its state allows. */
const isPossible = ({ moves }: Action, row: AnyRow) =>
  !moves || moves.machine.can(String(row[moves.field]), moves.event)

/**
 * The buttons of a resource's actions, as the declaration says: on a row, on chosen rows or above the list, with the drawer
 * that asks for what they take and the question before what cannot be undone.
 */
export const useDeclaredActions = <R extends Resource>(resource: R, list: ResourceList<R>) => {
  const reader = useReader(resource)
  const granted = useNavigationMenu((navigation) => navigation.permissions)
  const { run } = useRun(resource, list.reload)
  const kept = useKeptInput<KeptForm<Omit<ActionSubject, 'action'>>>(actionFormOf(resource))?.about
  const actions = Object.entries(resource.actions as Record<string, Action>).filter(([, { perm }]) =>
    isPermitted(granted, perm),
  )
  const [asking, setAsking] = useState<ActionSubject | undefined>(() => {
    const action = kept && actions.find(([name]) => name === kept.name)?.[1]
    return kept && action ? { ...kept, action } : undefined
  })

  const start = (name: string, action: Action, rows: object, count: number) => {
    if (action.fields && Object.keys(action.fields).length > 0) return setAsking({ name, action, rows, count })
    return run({
      call: () => calls.action(resource, name, rows as never),
      asked: count,
      done: reader.t(`${resource.name}.done.${name}`, { count }),
    })
  }
  const label = (name: string) => `${resource.name}.action.${name}`

  const rowButtons: RowButton<AnyRow>[] = actions.flatMap(([name, action]) =>
    action.on === 'list'
      ? []
      : {
          label: label(name),
          confirm: action.destroys === true,
          danger: action.destroys === true,
          shown: (row: AnyRow) => isPossible(action, row),
          run: (row: AnyRow) => start(name, action, action.on === 'row' ? { id: row.id } : { ids: [row.id] }, 1),
        },
  )
  const bulkButtons: BulkButton[] = actions.flatMap(([name, action]) =>
    action.on === 'rows' || action.on === 'matching'
      ? {
          label: label(name),
          confirm: action.destroys === true,
          danger: action.destroys === true,
          run: async ({ ids, count }) => start(name, action, { ids: await ids() }, count),
        }
      : [],
  )
  const onList = actions.filter(([, { on }]) => on === 'list')
  const dialog: ReactNode = asking && (
    <ActionDrawer resource={resource} {...asking} onClose={() => setAsking(undefined)} onDone={list.reload} />
  )
  return {
    rowButtons,
    bulkButtons,
    dialog,
    /** What is done with the list as a whole. */
    listButtons: onList.map(([name, action]) => ({ label: label(name), run: () => start(name, action, {}, 1) })),
  }
}
