import { z } from 'zod'
import { commonErrors } from '../api/common.errors.ts'
import { commandQos, commandQosDefault } from '../device/protocol.ts'
import { defineEndpoint } from '../kit/index.ts'
import { brokerFailureDetail, brokerSuccessDetail, plannedMessageDevices } from './broker.resource.ts'
import { commandErrors } from './command.errors.ts'
import { type CommandName, commands } from './commands.ts'
import { madeTask } from './task.order.ts'
import { targetShape, timingShape } from './task.resource.ts'

const payloadMax = 5000
export const topicPattern = /^[A-Za-z0-9][\w./-]*$/

const isCommand = (name: string): name is CommandName => Object.hasOwn(commands, name)
/**
 * A name that is no command of ours is sent as it is, for makers who try something new: as the topic, and once more within
 * the payload, where devices looked for it before it stood by itself.
 */
/** A device finds the word it was told under beside what it was told, however it was sent. */
export const customArgs = ({ topic, payload, ...args }: { topic?: unknown; payload?: unknown }) => ({
  ...args,
  ...(topic !== undefined && { topic }),
  ...(payload !== undefined && {
    payload:
      topic === undefined || typeof payload !== 'object' || Array.isArray(payload)
        ? payload
        : { command: topic, ...payload },
  }),
})
export const messageOf = (
  name: string,
  payload: Record<string, unknown>,
): { command: CommandName; args: Record<string, unknown> } =>
  isCommand(name) ? { command: name, args: payload } : { command: 'custom', args: customArgs({ topic: name, payload }) }
export const createBrokerTask = defineEndpoint({
  name: 'createBrokerTask',
  method: 'POST',
  path: '/api/v3/device/broker/task/create',
  perm: 'broker:task:add',
  scope: 'organisation',
  heavy: true,
  faults: { qos: { missing: commonErrors.missingParameter.code, wrong: commandErrors.qosNotSpoken.code } },
  input: z.strictObject({
    name: z.string().trim().min(1).max(64),
    topic: z.string().trim().regex(topicPattern).max(64),
    payload: z.string().max(payloadMax),
    /** At most: a device that has subscribed with less gets it with less. */
    qos: z.literal(commandQos).default(commandQosDefault),
    ...timingShape,
    ...targetShape,
  }),
  answer: madeTask,
})
export const brokerEndpoints = [createBrokerTask, brokerSuccessDetail, brokerFailureDetail, plannedMessageDevices]
