import { commandNames, queryLog } from '@campanile/contract/command'
import { ListScreen, Time, useReader, useResourceList } from '../../kit/index.ts'
import { later } from '../../shell/later.tsx'
import { QueryResult } from './QueryResult.tsx'
import { useCommandName } from './useCommandName.ts'
import '../../kit/kit.css'

const QueryDetail = later(async () => (await import('./QueryDetail.tsx')).QueryDetail)

/** What was asked of devices and what they answered, for whoever looks for a fault. */
export default function QueryLogScreen() {
  const reader = useReader(queryLog)
  const list = useResourceList(queryLog)
  const commandName = useCommandName()
  return (
    <ListScreen
      resource={queryLog}
      list={list}
      cells={{
        createTime: ({ createTime }) => <Time value={createTime} reader={reader} />,
        command: ({ command }) => commandName(command),
        result: ({ result }) => <QueryResult result={result} reader={reader} />,
      }}
      filterChoices={{ command: commandNames.map((value) => ({ value, label: commandName(value) })) }}
      detail={QueryDetail}
    />
  )
}
