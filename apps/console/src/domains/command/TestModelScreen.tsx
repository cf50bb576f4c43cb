import { type CommandState, commandNames, commandStates, commandTextKey, testModel } from '@campanile/contract/command'
import type { Row } from '@campanile/contract/kit'
import { AutoComplete } from 'antd'
import { useState } from 'react'
import { ListScreen, useResourceList } from '../../kit/index.ts'
import type { InputProps } from '../../kit/inputs/input-props.ts'
import { useAction } from '../../kit/useAction.ts'
import { useProof } from './order/useProof.tsx'
import { TestRun } from './TestRun.tsx'
import { CommandStateMark } from './task/states.tsx'
import { useTaskNews } from './task/useTaskNews.ts'

type Bench = Row<typeof testModel>

const isState = (text: string): text is CommandState => (commandStates as readonly string[]).includes(text)

/** A name of ours, or one a maker is trying out. */
const commandInput = ({ id, value, onChange, onBlur, disabled, invalid, reader, name, describedBy }: InputProps) => (
  <AutoComplete
    id={id}
    className="whole"
    disabled={disabled}
    {...(invalid ? { status: 'error' as const } : {})}
    aria-label={reader.field(name)}
    aria-describedby={describedBy}
    value={String(value ?? '')}
    onChange={onChange}
    onBlur={onBlur}
    showSearch={{ filterOption: (typed, option) => String(option?.value).toLowerCase().includes(typed.toLowerCase()) }}
    options={commandNames.map((each) => ({
      value: each,
      label: `${each} · ${reader.t(commandTextKey(each))}`,
    }))}
  />
)
const cells = {
  command: ({ command }: Bench) => <span className="mono">{command}</span>,
  lastState: ({ lastState }: Bench) =>
    lastState && isState(lastState) ? <CommandStateMark state={lastState} /> : <span className="nothing">–</span>,
}

/** A bench for models: one command to one device, its raw answer beside it. */
export default function TestModelScreen() {
  const list = useResourceList(testModel)
  useTaskNews(list.reload)
  const [running, setRunning] = useState<Bench>()
  const run = useAction(testModel, 'run')
  const proof = useProof()
  const start = ({ command, sn, ...row }: Bench) =>
    proof.ask({ command, sn, count: 1 }, async () => {
      if (await run.run({ id: row.id })) setRunning({ command, sn, ...row })
    })
  return (
    <>
      <ListScreen
        resource={testModel}
        list={list}
        cells={cells}
        inputs={{ command: commandInput }}
        rowButtons={[
          { label: 'testModel.action.run', shown: () => run.permitted, run: start },
          { label: 'testModel.action.answer', shown: ({ lastRun }) => lastRun !== null, run: setRunning },
        ]}
      />
      {proof.dialog}
      {running && <TestRun bench={running} onClose={() => setRunning(undefined)} />}
    </>
  )
}
