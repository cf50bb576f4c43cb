import { type CommandState, commandStates, testModel } from '@campanile/contract/command'
import type { Row } from '@campanile/contract/kit'
import { useEffect, useState } from 'react'
import { ListScreen, useResourceList } from '../../kit/index.ts'
import type { InputProps } from '../../kit/inputs/input-props.ts'
import { useAction } from '../../kit/useAction.ts'
import { later } from '../../shell/later.tsx'
import { useProof } from './order/useProof.tsx'
import { CommandStateMark } from './task/states.tsx'
import { useTaskNews } from './task/useTaskNews.ts'

const CommandInput = later(async () => (await import('./CommandInput.tsx')).CommandInput)
const TestRun = later(async () => (await import('./TestRun.tsx')).TestRun)
const inputs = { command: (props: InputProps) => <CommandInput {...props} /> }

type Bench = Row<typeof testModel>

const isState = (text: string): text is CommandState => (commandStates as readonly string[]).includes(text)

const cells = {
  command: ({ command }: Bench) => <span className="mono">{command}</span>,
  lastState: ({ lastState }: Bench) =>
    lastState && isState(lastState) ? <CommandStateMark state={lastState} /> : <span className="nothing">–</span>,
}

/** A bench for models: one command to one device, its raw answer beside it. */
export default function TestModelScreen() {
  const list = useResourceList(testModel)
  // Stands in a form that opens with a click: it must be there by then.
  useEffect(CommandInput.soon, [])
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
        inputs={inputs}
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
