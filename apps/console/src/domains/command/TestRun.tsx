import { commandMachine, commandStates, testModel } from '@campanile/contract/command'
import type { Row } from '@campanile/contract/kit'
import { useQuery } from '@tanstack/react-query'
import { Button, Modal, Skeleton } from 'antd'
import { calls, useReader } from '../../kit/index.ts'
import { listKey } from '../../kit/list/useResourceList.ts'
import { Json } from './order/Json.tsx'
import { Reason } from './task/Reason.tsx'
import { CommandStateMark } from './task/states.tsx'
import { useTaskNews } from './task/useTaskNews.ts'
import '../../kit/kit.css'

const watchMs = 2_000
const stateOf = (text: string | null | undefined) => commandStates.find((state) => state === text)
const isJson = (text: string) => text.startsWith('{')

/** What was sent to the test device and what came back, as it comes. */
export function TestRun({ bench, onClose }: { bench: Row<typeof testModel>; onClose: () => void }) {
  const reader = useReader(testModel)
  const { data, refetch } = useQuery({
    queryKey: [...listKey(testModel), 'run', bench.id],
    queryFn: async ({ signal }) => (await calls.list(testModel, { ids: [bench.id] }, { signal })).rows[0] ?? null,
    refetchInterval: ({ state: { data: row } }) => {
      const state = stateOf(row?.lastState)
      return state && !commandMachine.can(state, 'expire') ? false : watchMs
    },
  })
  useTaskNews(refetch)
  const state = stateOf(data?.lastState)
  return (
    <Modal
      open
      width={640}
      title={`${bench.model} · ${bench.sn}`}
      onCancel={onClose}
      footer={
        <Button type="primary" onClick={onClose}>
          {reader.t('kit.close')}
        </Button>
      }
    >
      <dl className="facts">
        <div>
          <dt>{reader.field('command')}</dt>
          <dd className="mono">{bench.command}</dd>
        </div>
        <div>
          <dt>{reader.field('payload')}</dt>
          <dd>{bench.payload ? <Json text={bench.payload} /> : '–'}</dd>
        </div>
        <div>
          <dt>{reader.field('lastState')}</dt>
          <dd role="status">{state ? <CommandStateMark state={state} /> : '–'}</dd>
        </div>
        <div>
          <dt>{reader.field('lastResult')}</dt>
          <dd>
            {data?.lastResult ? (
              isJson(data.lastResult) ? (
                <Json text={data.lastResult} />
              ) : (
                <Reason reason={data.lastResult} />
              )
            ) : state && !commandMachine.can(state, 'expire') ? (
              '–'
            ) : (
              <Skeleton active title={false} paragraph={{ rows: 2 }} />
            )}
          </dd>
        </div>
      </dl>
    </Modal>
  )
}
