import { type CommandName, createTask, deviceTask, type Target } from '@campanile/contract/command'
import { Button, Drawer, Input } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Labelled } from '../../../kit/form/Labelled.tsx'
import { calls, useReader } from '../../../kit/index.ts'
import { askToLeave, useDirtyGuard } from '../../../shell/tabs/index.ts'
import { DeviceTargetInput } from '../../device/pickers.tsx'
import { CommandSelect } from '../order/CommandSelect.tsx'
import { EnteredFields } from '../order/EnteredFields.tsx'
import { OrderBody, OrderButtons } from '../order/OrderBody.tsx'
import { useCommandForm, useEntered } from '../order/useEntered.ts'
import { useOrderSteps } from '../order/useOrderSteps.ts'

/** A task from nothing: which command, to whom, and what it is for. */
export default function NewTaskDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const id = useId()
  const [command, setCommand] = useState<CommandName>()
  const title = t('deviceTask.action.create')
  if (command) return <Chosen key={command} command={command} setCommand={setCommand} title={title} onClose={onClose} />
  return (
    <Drawer open size={560} title={title} onClose={onClose} footer={<Footer onClose={onClose} />}>
      <div className="kit-form">
        <Labelled id={id} label={t('command.title')} required>
          {(field) => <CommandSelect id={field.id} value={command} onChange={setCommand} />}
        </Labelled>
      </div>
    </Drawer>
  )
}

const Footer = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  return (
    <div className="drawer-buttons">
      <Button onClick={onClose}>{t('kit.cancel')}</Button>
    </div>
  )
}

interface ChosenProps {
  command: CommandName
  setCommand: (command: CommandName) => void
  title: string
  onClose: () => void
}

function Chosen({ command, setCommand, title, onClose }: ChosenProps) {
  const { t } = useTranslation()
  const id = useId()
  const reader = useReader(deviceTask)
  const [target, setTarget] = useState<Target>()
  const [description, setDescription] = useState('')
  const form = useEntered(useCommandForm(command))
  const steps = useOrderSteps({
    command,
    target,
    read: form.read,
    fieldOf: form.fieldOf,
    send: (input) => calls.call(createTask, input),
    words: () => (description.trim() === '' ? {} : { description: description.trim() }),
  })
  const dirty = steps.step !== 'made' && (target !== undefined || description !== '')
  useDirtyGuard(dirty)
  const close = async () => {
    if (!steps.busy && (!dirty || (await askToLeave([title])))) onClose()
  }
  return (
    <Drawer
      open
      size={560}
      title={title}
      onClose={close}
      footer={
        <div className="drawer-buttons">
          <OrderButtons steps={steps} onClose={close} />
        </div>
      }
    >
      <OrderBody steps={steps}>
        <Labelled id={`${id}-command`} label={t('command.title')} required>
          {(field) => <CommandSelect id={field.id} value={command} onChange={setCommand} />}
        </Labelled>
        <Labelled
          id={`${id}-devices`}
          label={t('command.devices')}
          error={steps.nobody ? t('error.93017') : undefined}
          required
        >
          {(field) => (
            <DeviceTargetInput
              label={t('command.devices')}
              value={target}
              onChange={setTarget}
              invalid={field['aria-invalid']}
              describedBy={field['aria-describedby']}
            />
          )}
        </Labelled>
        <EnteredFields form={form} />
        <Labelled id={`${id}-description`} label={reader.field('description')}>
          {(field) => (
            <Input.TextArea
              {...field}
              count={{ show: true, max: 256 }}
              maxLength={256}
              autoSize={{ minRows: 2, maxRows: 6 }}
              value={description}
              onChange={(event) => setDescription(event.target.value)}
            />
          )}
        </Labelled>
      </OrderBody>
    </Drawer>
  )
}
