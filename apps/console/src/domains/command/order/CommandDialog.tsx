import { type CommandName, giveCommand, type Target } from '@campanile/contract/command'
import { Modal, Skeleton } from 'antd'
import { useEffect, useEffectEvent } from 'react'
import { calls } from '../../../kit/index.ts'
import { EnteredFields } from './EnteredFields.tsx'
import { OrderBody, OrderButtons } from './OrderBody.tsx'
import { useCommandForm, useEntered } from './useEntered.ts'
import { useOrderSteps } from './useOrderSteps.ts'

export interface Asked {
  readonly command: CommandName
  readonly target: Target
  /** The one device meant, named in the title and typed back before it is destroyed. */
  readonly sn?: string | undefined
  /** Arguments that are known already, such as the app of a row. */
  readonly args?: Readonly<Record<string, unknown>> | undefined
}

/** One command to one device or many, from wherever devices are shown. */
export default function CommandDialog({ command, target, sn, args, onClose }: Asked & { onClose: () => void }) {
  const form = useEntered(useCommandForm(command), args)
  const steps = useOrderSteps({
    command,
    target,
    sn,
    read: form.read,
    fieldOf: form.fieldOf,
    send: (input) => calls.call(giveCommand, input),
  })
  // Nothing to enter: the first thing to see is who will be hit.
  const atOnce = form.names.length === 0
  const lookAtOnce = useEffectEvent(() => atOnce && void steps.look())
  useEffect(() => void lookAtOnce(), [])
  return (
    <Modal
      open
      width={560}
      title={sn === undefined ? steps.label : `${steps.label} · ${sn}`}
      onCancel={onClose}
      mask={{ closable: false }}
      footer={<OrderButtons steps={steps} onClose={onClose} entered={!atOnce} />}
    >
      {atOnce && steps.busy && steps.step === 'args' && <Skeleton active title={false} paragraph={{ rows: 2 }} />}
      <OrderBody steps={steps}>
        <EnteredFields form={form} />
      </OrderBody>
    </Modal>
  )
}
