import { brokerTask, plannedMessageDevices } from '@campanile/contract/command'
import type { Row } from '@campanile/contract/kit'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { calls } from '../../../kit/index.ts'
import { listKey } from '../../../kit/list/useResourceList.ts'
import { Page, useTabTitle } from '../../../shell/Page.tsx'
import { PlannedDevices } from '../task/opened.ts'
import { plannedMs, watched } from '../task/watched.ts'
import { BrokerHead } from './BrokerHead.tsx'

interface Props {
  id: number
  title: string
  onChanged: () => unknown
  /** Beside those that every task has. */
  buttons?: (task: Row<typeof brokerTask>) => ReactNode
  /** The list of devices below the head, once it has begun. */
  children: (head: ReactNode) => ReactNode
}

/** A message and its devices; before it has begun, whom it is for. */
export function BrokerPage({ id, title, onChanged, buttons, children }: Props) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const task = useQuery({
    queryKey: [...listKey(brokerTask), 'one', id],
    queryFn: async ({ signal }) => (await calls.list(brokerTask, { ids: [id] }, { signal })).rows[0] ?? null,
    refetchInterval: ({ state }) => watched(state.data?.progress),
  })
  useTabTitle(task.data?.name)
  const planned = task.data?.progress === 'planned'
  const [page, setPage] = useState(1)
  const outlook = useQuery({
    queryKey: [...listKey(brokerTask), 'planned', id, page],
    queryFn: ({ signal }) => calls.call(plannedMessageDevices, { id, page }, { signal }),
    enabled: planned,
    placeholderData: keepPreviousData,
    refetchInterval: plannedMs,
  })
  const changed = () => Promise.all([onChanged(), queries.invalidateQueries({ queryKey: listKey(brokerTask) })])
  const head = <BrokerHead task={task} outlook={outlook.data} onChanged={changed} buttons={buttons} />
  // Whether it has begun decides what stands below; its devices are asked for meanwhile.
  if (task.isPending)
    return (
      <Page title={title}>
        <p className="bone task-head-bone" />
      </Page>
    )
  if (!planned) return children(head)
  return (
    <Page title={t('brokerTask.title')}>
      {head}
      <PlannedDevices query={outlook} page={page} onPage={setPage} />
    </Page>
  )
}
