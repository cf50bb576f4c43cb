import { randomBytes } from 'node:crypto'
import { activate, createCodes, importCodes } from '@campanile/contract'
import { expect } from 'vitest'
import { writeWorkbook } from '../platform/sheet/write.ts'
import type { Ids } from './declared-calls.ts'
import type { Garden } from './garden.ts'
import { plantPayloads } from './plant-payloads.ts'

const newSecret = () => `Zx-${randomBytes(9).toString('hex')}`
/** Within the length a device's password may have. */
const newPassword = () => `Zq${randomBytes(7).toString('hex')}`

const must = (answer: { code: number; message: string; data: Record<string, unknown> }, what: string) => {
  expect(answer.code, `${what}: ${answer.message} ${JSON.stringify(answer.data)}`).toBe(100000)
  return answer.data
}

const sheetOf = async (headers: readonly string[], rows: readonly (readonly (string | number | null)[])[]) => {
  const chunks: Buffer[] = []
  const columns = headers.map((header) => ({ header }))
  const batches = [rows.map((row) => [...row])]
  for await (const chunk of writeWorkbook([{ name: 'S', columns, batches }])) chunks.push(chunk as Buffer)
  const head =
    '--b\r\ncontent-disposition: form-data; name="file"; filename="a.xlsx"\r\ncontent-type: application/octet-stream\r\n\r\n'
  return Buffer.concat([Buffer.from(head), ...chunks, Buffer.from('\r\n--b--\r\n')])
}

const upload = async ({ world, admin }: Garden, url: string, payload: Buffer) => {
  const headers = { sessionid: admin.token, 'content-type': 'multipart/form-data; boundary=b' }
  const response = await world.app.inject({ method: 'POST', url, headers, payload })
  return response.json<{ code: number; message: string; data: Record<string, unknown> }>()
}

/** Codes of every origin, and what a device got for one. */
const plantActivation = async ({ world, word, admin, keep, ...rest }: Garden): Promise<Ids> => {
  const entered = newSecret()
  const fromSheet = newSecret()
  const token = { token: admin.token }
  keep('activation code', entered)
  keep('activation code', fromSheet)
  const made = must(
    await world.call(createCodes, { codes: `${word}-code;${entered};;\n${word}-made\n${word}-used` }, token),
    'codes',
  ) as { codes: { id: number; sn: string; activationCode: string }[] }
  for (const { activationCode } of made.codes.slice(1)) keep('activation code', activationCode)
  must(
    await upload(
      { world, word, admin, keep, ...rest },
      importCodes.path,
      await sheetOf(['sn', 'code'], [[`${word}-sheet`, fromSheet]]),
    ),
    'codes of a sheet',
  )
  const key = newSecret()
  keep('key of an activation', key)
  const used = made.codes[2]
  const joined = must(
    await world.call(activate, { sn: used?.sn ?? '', code: used?.activationCode ?? '', key }),
    'activation',
  )
  keep('password of a device', String(joined.password))
  // Wrong tries leave lines in logs, too.
  const guess = newSecret()
  keep('activation code that was tried', guess)
  await world.call(activate, { sn: `${word}-made`, code: guess, key })
  return { activationCode: made.codes[0]?.id ?? 0 }
}

/** Passwords that people enter for people, one by one and by the sheet. */
const plantPasswords = async (garden: Garden): Promise<void> => {
  const { world, word, admin, ids, keep } = garden
  const { rows } = (await admin.get('/api/v1/oauth/roles/assignable')).data as { rows: { id: number }[] }
  const [password, imported] = [newPassword(), newPassword()].map((text) => `${text}!1`)
  keep('password of a new account', password ?? '')
  keep('password of an import', imported ?? '')
  must(
    await admin.post('/api/v1/oauth/users/create', {
      username: `${word}.planted`,
      realName: 'Planted',
      departmentId: ids.organisation,
      // Not the role that is deleted later on.
      roleIds: [rows.find(({ id }) => id !== ids.role)?.id],
      type: 2,
      password: await world.sealed(password ?? ''),
    }),
    'account',
  )
  const headers = ['username', 'realName', 'departmentId', 'roleIds', 'type', 'mobile', 'password']
  const row = [`${word}.imported`, 'Imported', 'Nowhere', 'Nobody', 2, null, imported ?? null]
  must(await upload(garden, '/api/v1/oauth/users/import', await sheetOf(headers, [row])), 'import')
}

/** Arguments of commands that are passwords. */
const plantCommandPasswords = async ({ word, admin, keep }: Garden): Promise<Ids> => {
  const exitPassword = newPassword()
  const password = newPassword()
  keep('exit password of a kiosk', exitPassword)
  keep('password sent to a device', password)
  const give = async (command: string, args: object) =>
    must(await admin.post('/api/v3/device/task/create', { command, args, sns: [`${word}-used`] }), command)
  await give('kioskOn', { mode: 'single', packages: ['org.example.app'], exitPassword, statusBar: true, homeKey: true })
  const task = await give('devicePassword', { password })
  return { deviceTask: task.id as number }
}

/** Plants what nobody may read back, the way people and devices would. Answers the rows that hold it. */
export const plantSecrets = async (garden: Garden): Promise<Ids> => {
  await plantPasswords(garden)
  return {
    ...(await plantActivation(garden)),
    ...(await plantCommandPasswords(garden)),
    ...(await plantPayloads(garden)),
  }
}
