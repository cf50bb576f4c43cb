import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { Ids } from './declared-calls.ts'
import type { Garden } from './garden.ts'

const newSecret = () => `Zp-${randomBytes(7).toString('hex')}`

/** Secrets inside what people send to devices in their own words: arguments, messages, test models. */
export const plantPayloads = async ({ word, admin, ids, keep }: Garden): Promise<Ids> => {
  const secret = (what: string) => {
    const value = newSecret()
    keep(what, value)
    return value
  }
  const make = async (path: string, body: Record<string, unknown>) => {
    const answer = await admin.post(path, body)
    expect(answer.code, `${path}: ${answer.message} ${JSON.stringify(answer.data)}`).toBe(100000)
    return answer.data.id as number
  }
  const sns = [`${word}-used`]
  const code = secret('code of a switch of servers')
  const deviceTask = await make('/api/v3/device/task/create', {
    command: 'switchServer',
    args: { serverUrl: 'https://other.example', code },
    sns,
  })
  const brokerTask = await make('/api/v3/device/broker/task/create', {
    name: 'Network',
    topic: 'wifi',
    payload: JSON.stringify({
      networks: [{ ssid: 'hall', wifiPassword: secret('password of a wireless network') }],
      note: JSON.stringify({ token: secret('token in JSON in a message') }),
    }),
    sns,
  })
  const model = { model: `${word} planted`, sn: `${word}-used`, departmentId: ids.organisation }
  const testModel = await make('/api/v3/device/testModel/create', {
    ...model,
    command: 'devicePassword',
    payload: JSON.stringify({ password: secret('password of a test model') }),
  })
  await make('/api/v3/device/testModel/create', {
    ...model,
    command: 'join',
    payload: JSON.stringify({ wifi: { psk: secret('key of a network in a test model') } }),
  })
  return { deviceTask, brokerTask, testModel }
}
