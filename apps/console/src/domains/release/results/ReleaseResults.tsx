import type { Resource, Row } from '@campanile/contract/kit'
import {
  openDeviceStates,
  releaseDeviceMachine,
  type releaseResultFields,
  type resultActions,
} from '@campanile/contract/release'
import { type ReactNode, useMemo } from 'react'
import { useToDevice } from '../../../kit/DeviceLink.tsx'
import { ListScreen, type Reader, SoftTag, useReader, useResourceList } from '../../../kit/index.ts'
import { useDeclaredActions } from '../../../kit/list/useDeclaredActions.tsx'
import type { Fixed } from '../../../kit/list/useResourceList.ts'
import { useTabTitle } from '../../../shell/Page.tsx'
import { Percent } from '../detail/Percent.tsx'
import { reasonText } from '../detail/reasonText.ts'
import { toneOfDevice } from '../detail/story.ts'
import './results.css'

/** What every list of devices of releases has, whatever else its kind tells of them. */
export type ResultResource = Resource & {
  readonly fields: Pick<typeof releaseResultFields, 'sn' | 'state' | 'reason'>
}
type ResultRow = Row<ResultResource>
type ResultAction = keyof ReturnType<typeof resultActions>

const watchMs = 5_000
const isOpen = ({ state }: ResultRow) => (openDeviceStates as readonly string[]).includes(state)
/** The last word of a text key: what the action is called wherever it stands. */
const actionOf = (label: string) => label.slice(label.lastIndexOf('.') + 1) as ResultAction
/** Kept in sight where it is not possible now, with the reason. */
const blockedKeys = { retry: 'releaseDetail.retryBlocked', cancel: 'releaseDetail.cancelBlocked' } as const

interface Props {
  resource: ResultResource
  /** Of one release, or of all releases of one thing. */
  fixed: Fixed
  above?: ReactNode
}

/** The devices of releases and what became of them, with what can be done about it. */
export function ReleaseResults({ resource, fixed, above }: Props) {
  const list = useResourceList(resource, {
    fixed: { itemKey: undefined, releaseId: undefined, ...fixed },
    refreshEvery: (rows) => (rows.some(isOpen) ? watchMs : false),
  })
  const reader = useReader(resource)
  const actions = useDeclaredActions(resource, list)
  // Of one release its own line says what it brought.
  const name = above === undefined && list.rows[0] ? String(list.rows[0].itemName) : undefined
  useTabTitle(name, true)
  const { identityTo } = useToDevice()
  const cells = useMemo(
    () => ({
      state: ({ state }: ResultRow) => <SoftTag tone={toneOfDevice[state]}>{reader.option('state', state)}</SoftTag>,
      result: ({ state, result }: ResultRow) => (
        <SoftTag tone={toneOfDevice[state]}>{reader.option('result', String(result))}</SoftTag>
      ),
      percent: ({ state, percent }: ResultRow) => <Percent state={state} percent={percent as number | null} />,
      reason: ({ reason }: ResultRow) => <Reason reason={reason} reader={reader} />,
    }),
    [reader],
  )
  return (
    <>
      <ListScreen
        resource={resource}
        list={list}
        above={
          above ??
          (name !== undefined && (
            <p className="of-release">
              <strong>{name}</strong>
            </p>
          ))
        }
        identityTo={identityTo}
        cells={cells}
        rowButtons={actions.rowButtons.map((button) => ({
          ...button,
          shown: () => true,
          blocked: ({ state }: ResultRow) => {
            const action = actionOf(button.label)
            return releaseDeviceMachine.can(state, action) ? undefined : reader.t(blockedKeys[action])
          },
        }))}
        bulkButtons={actions.bulkButtons}
      />
      {actions.dialog}
    </>
  )
}

function Reason({ reason, reader }: { reason: string | null; reader: Reader }) {
  if (reason === null) return <span className="nothing">–</span>
  const text = reasonText({ reason, detail: null }, reader)
  return <span title={text}>{text}</span>
}
