import {
  brokerTask,
  commandNames,
  commandTextKey,
  createBrokerTask,
  messageOf,
  type Target,
} from '@campanile/contract/command'
import { protocol } from '@campanile/contract/device'
import { readJsonObject } from '@campanile/contract/kit'
import { AutoComplete, Input, Select } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Labelled } from '../../../kit/form/Labelled.tsx'
import { useFields } from '../../../kit/form/useFields.ts'
import { calls, useReader } from '../../../kit/index.ts'
import { DatePicker } from '../../../kit/inputs/calendars.ts'
import { JsonInput } from '../../../kit/inputs/JsonInput.tsx'
import { Page } from '../../../shell/Page.tsx'
import { useDirtyGuard } from '../../../shell/tabs/index.ts'
import { DeviceTargetInput } from '../../device/pickers.tsx'
import { OrderBody, OrderButtons } from '../order/OrderBody.tsx'
import { useOrderSteps } from '../order/useOrderSteps.ts'
import '../../../kit/cards.css'
import './broker.css'

const topicRule = /^[A-Za-z0-9][\w./-]*$/
const start = { name: '', topic: '', payload: '', qos: protocol.commandQosDefault, sendTime: null as string | null }

/** A message of one's own: what, to whom and when, then who will be hit, then how it goes. */
export default function NewBrokerTaskScreen() {
  const reader = useReader(brokerTask)
  const { t } = reader
  const navigate = useNavigate()
  const [target, setTarget] = useState<Target>()
  const required = t('kit.error.required')
  const fields = useFields(start, {
    check: ({ name, topic, payload, sendTime }) => ({
      ...(name.trim() === '' ? { name: required } : {}),
      ...(topic.trim() === ''
        ? { topic: required }
        : topicRule.test(topic.trim())
          ? {}
          : { topic: t('brokerTask.new.topicRule') }),
      ...(payload.trim() === '' ? { payload: required } : readJsonObject(payload) ? {} : { payload: t('error.93020') }),
      ...(sendTime !== null && Date.parse(sendTime) <= Date.now() ? { sendTime: t('brokerTask.new.past') } : {}),
    }),
  })
  const { name, topic, payload, qos, sendTime } = fields.values
  const { command, args } = messageOf(topic.trim(), readJsonObject(payload) ?? {})
  const steps = useOrderSteps({
    command,
    target,
    label: topic.trim(),
    read: () => {
      const wrong = fields.show()
      return wrong === undefined ? { args } : { wrong }
    },
    send: ({ command: _command, args: _args, name: _name, description: _description, ...meant }) =>
      calls.call(createBrokerTask, {
        name: name.trim(),
        topic: topic.trim(),
        payload,
        qos,
        ...(sendTime === null ? {} : { sendTime }),
        ...meant,
      }),
  })
  useDirtyGuard(steps.step !== 'made' && (fields.dirty || target !== undefined))
  const nameField = fields.field('name')
  const topicField = fields.field('topic')
  const payloadField = fields.field('payload')
  const qosField = fields.field('qos')
  const timeField = fields.field('sendTime')
  return (
    <Page title={reader.action('create')}>
      <section className="card broker-new">
        <OrderBody steps={steps} detail={(id) => `/device/broker/task/success/${id}`}>
          <Labelled id={nameField.id} label={reader.field('name')} error={nameField.error} required>
            {(state) => (
              <Input
                {...state}
                maxLength={64}
                count={{ show: true, max: 64 }}
                value={name}
                onChange={(event) => fields.set('name', event.target.value)}
                onBlur={nameField.onBlur}
              />
            )}
          </Labelled>
          <Labelled
            id={topicField.id}
            label={reader.field('topic')}
            error={topicField.error}
            help={t('brokerTask.new.topicHelp')}
            required
          >
            {(state) => (
              <AutoComplete
                {...state}
                className="whole"
                value={topic}
                onChange={(value: string) => fields.set('topic', value)}
                onBlur={topicField.onBlur}
                showSearch={{
                  filterOption: (typed, option) => String(option?.value).toLowerCase().includes(typed.toLowerCase()),
                }}
                options={commandNames
                  .filter((each) => each !== 'custom')
                  .map((each) => ({ value: each, label: `${each} · ${t(commandTextKey(each))}` }))}
              />
            )}
          </Labelled>
          <Labelled id={payloadField.id} label={t('brokerTask.new.payload')} error={payloadField.error} required>
            {(state) => (
              <JsonInput
                id={state.id}
                value={payload}
                onChange={(value) => fields.set('payload', String(value))}
                onBlur={payloadField.onBlur}
                invalid={state['aria-invalid']}
                describedBy={state['aria-describedby']}
                disabled={false}
              />
            )}
          </Labelled>
          <Labelled
            id={`${nameField.id}-devices`}
            label={t('command.devices')}
            error={steps.nobody ? t('error.93017') : undefined}
            required
          >
            {(state) => (
              <DeviceTargetInput
                label={t('command.devices')}
                value={target}
                onChange={setTarget}
                invalid={state['aria-invalid']}
                describedBy={state['aria-describedby']}
              />
            )}
          </Labelled>
          <Labelled id={qosField.id} label={reader.field('qos')} error={qosField.error} help={t('brokerTask.new.qos')}>
            {(state) => (
              <Select
                {...state}
                className="whole"
                value={qos}
                onChange={(value) => fields.set('qos', value)}
                onBlur={qosField.onBlur}
                options={protocol.commandQos.map((value) => ({ value, label: reader.option('qos', value) }))}
              />
            )}
          </Labelled>
          <Labelled
            id={timeField.id}
            label={t('brokerTask.new.sendTime')}
            error={timeField.error}
            help={t('brokerTask.new.sendTimeHelp')}
          >
            {(state) => (
              <DatePicker
                id={state.id}
                className="whole"
                format="YYYY-MM-DD HH:mm"
                showTime={{ format: 'HH:mm' }}
                value={sendTime === null ? null : dayjs(sendTime)}
                onChange={(time) => fields.set('sendTime', time ? time.toISOString() : null)}
                onBlur={timeField.onBlur}
              />
            )}
          </Labelled>
        </OrderBody>
        <div className="drawer-buttons">
          <OrderButtons steps={steps} onClose={() => navigate('/device/broker/task')} />
        </div>
      </section>
    </Page>
  )
}
