import { commandNames, queryLog, type Row } from '@campanile/contract'
import { Drawer } from 'antd'
import { useTranslation } from 'react-i18next'
import { ListScreen, type Reader, StateMark, Time, useReader, useResourceList } from '../../kit/index.ts'
import { Json } from './order/Json.tsx'
import '../../kit/kit.css'

type Line = Row<typeof queryLog>
const tones = { waiting: 'accent', ok: 'good', error: 'bad', timeout: 'warning' } as const

/** What was asked of devices and what they answered, for whoever looks for a fault. */
export default function QueryLogScreen() {
  const { t, i18n } = useTranslation()
  const reader = useReader(queryLog)
  const list = useResourceList(queryLog)
  const commandName = (name: string) => {
    const key = `deviceTask.option.command.${name}`
    return i18n.exists(key) ? t(key) : name
  }
  return (
    <ListScreen
      resource={queryLog}
      list={list}
      cells={{
        createTime: ({ createTime }) => <Time value={createTime} reader={reader} />,
        command: ({ command }) => commandName(command),
        result: (row) => <QueryResult row={row} reader={reader} />,
      }}
      filterChoices={{ command: commandNames.map((value) => ({ value, label: commandName(value) })) }}
      detail={({ row, onClose }) => (
        <Drawer open size={560} title={`${commandName(row.command)} · ${row.sn}`} onClose={onClose}>
          <dl className="facts">
            {(
              [
                ['createTime', <Time key="time" value={row.createTime} reader={reader} />],
                ['creatorName', row.creatorName ?? '–'],
                ['milliseconds', row.milliseconds === null ? '–' : reader.number(row.milliseconds)],
                ['result', <QueryResult key="result" row={row} reader={reader} />],
                ['request', row.request ? <Json key="request" text={row.request} /> : '–'],
                ['response', row.response ? <Json key="response" text={row.response} /> : '–'],
              ] as const
            ).map(([name, value]) => (
              <div key={name}>
                <dt>{reader.field(name)}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </Drawer>
      )}
    />
  )
}

const QueryResult = ({ row, reader }: { row: Line; reader: Reader }) => (
  <StateMark tone={tones[row.result]}>{reader.option('result', row.result)}</StateMark>
)
