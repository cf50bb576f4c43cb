import { isApiError } from '@campanile/client'
import { brokerTask, commandNames, commandTextKey, messageOf, topicPattern } from '@campanile/contract/command'
import { protocol } from '@campanile/contract/device'
import { readJsonObject } from '@campanile/contract/kit'
import { AutoComplete, Input, Select } from 'antd'
import { type Ref, useEffect, useEffectEvent, useImperativeHandle } from 'react'
import { Labelled } from '../../../kit/form/Labelled.tsx'
import { useFields } from '../../../kit/form/useFields.ts'
import { useReader } from '../../../kit/index.ts'
import { JsonInput } from '../../../kit/inputs/JsonInput.tsx'
import type { Draft, DraftHandle } from './draft.ts'

const start = { name: '', topic: '', payload: '{}', qos: protocol.commandQosDefault }

interface Props {
  ref: Ref<DraftHandle>
  /** Entered before the page was loaded anew. */
  typed: Partial<typeof start> | undefined
  onDraft: (draft: Draft) => void
}

/** A message of one's own making: its topic, what it says, and how surely it is carried. */
export function OwnMessage({ ref, typed, onDraft }: Props) {
  const reader = useReader(brokerTask)
  const { t } = reader
  const required = t('kit.error.required')
  const check = ({ name, topic, payload }: typeof start) => ({
    ...(name.trim() === '' ? { name: required } : {}),
    ...(topic.trim() === ''
      ? { topic: required }
      : topicPattern.test(topic.trim())
        ? {}
        : { topic: t('brokerTask.new.topicRule') }),
    ...(payload.trim() === '' ? { payload: required } : readJsonObject(payload) ? {} : { payload: t('error.93020') }),
  })
  const fields = useFields(start, { check, typed })
  const { name, topic, payload, qos } = fields.values
  const message = { name: name.trim(), topic: topic.trim(), payload, qos }
  const { topic: badTopic, payload: badPayload } = { topic: undefined, payload: undefined, ...check(fields.values) }
  const { command, args } = messageOf(message.topic, readJsonObject(payload) ?? {})
  const known = badTopic === undefined && badPayload === undefined
  const text = JSON.stringify([fields.values, known])
  const tell = useEffectEvent((_: string) =>
    onDraft({ command, args: known ? args : undefined, touched: fields.dirty, typed: fields.values }),
  )
  // Its text stands for what was entered, which is another object each time.
  useEffect(() => tell(text), [text])
  const nameField = fields.field('name')
  const topicField = fields.field('topic')
  const payloadField = fields.field('payload')
  const qosField = fields.field('qos')
  const ids = { name: nameField.id, topic: topicField.id, payload: payloadField.id, qos: qosField.id }
  useImperativeHandle(ref, () => ({
    read: () => {
      const wrong = fields.show()
      return wrong === undefined ? { command, args, message } : { wrong }
    },
    blame: (failure) => {
      const named = isApiError(failure) ? failure.field : undefined
      return named !== undefined && named in ids ? ids[named as keyof typeof ids] : undefined
    },
  }))
  return (
    <div className="composer-args">
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
    </div>
  )
}
