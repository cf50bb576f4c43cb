import { queryLog, queryLogDetail } from '@campanile/contract/command'
import type { Row } from '@campanile/contract/kit'
import { useQuery } from '@tanstack/react-query'
import { Drawer } from 'antd'
import { calls, Time, useReader } from '../../kit/index.ts'
import { Json } from './order/Json.tsx'
import { QueryResult } from './QueryResult.tsx'
import { useCommandName } from './useCommandName.ts'

/** One question to a device and its answer, word for word. */
export function QueryDetail({ row: listed, onClose }: { row: Row<typeof queryLog>; onClose: () => void }) {
  const reader = useReader(queryLog)
  const commandName = useCommandName()
  // The list has only the beginning of what is long.
  const { data } = useQuery({
    queryKey: [queryLog.name, 'detail', listed.id],
    queryFn: ({ signal }) => calls.call(queryLogDetail, { id: listed.id }, { signal }),
  })
  const row = data?.row ?? listed
  const facts = [
    ['createTime', <Time key="time" value={row.createTime} reader={reader} />],
    ['creatorName', row.creatorName ?? '–'],
    ['milliseconds', row.milliseconds === null ? '–' : reader.number(row.milliseconds)],
    ['result', <QueryResult key="result" result={row.result} reader={reader} />],
    ['request', row.request ? <Json key="request" text={row.request} /> : '–'],
    ['response', row.response ? <Json key="response" text={row.response} /> : '–'],
  ] as const
  return (
    <Drawer open size={560} title={`${commandName(row.command)} · ${row.sn}`} onClose={onClose}>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{reader.field(name)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Drawer>
  )
}
