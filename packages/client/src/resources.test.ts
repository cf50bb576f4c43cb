import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { clearNotifications, device, importTransfer, operationDetail, readLogo, user } from '@campanile/contract'
import { defineResource, number, text } from '@campanile/contract/kit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from './client.ts'
import { createCalls } from './resources.ts'

const lamp = defineResource({
  name: 'lamp',
  wire: { path: '/api/v1/lamp', listKey: 'lamps', idsKey: 'lampIds' },
  fields: { name: text(), watts: number(1, 60) },
  list: { columns: ['name'], filters: ['name'], sort: 'name' },
  perms: { list: 'lamp:list', create: 'lamp:add', update: 'lamp:edit', remove: 'lamp:delete' },
  scope: 'organisation',
  actions: {
    light: user.actions.unlock,
  },
})

let server: Server
let calls: ReturnType<typeof createCalls>
let data: unknown
const seen: { line: string; body: string; type: string | undefined; token: unknown }[] = []

const bodyOf = async (request: IncomingMessage) => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    seen.push({
      line: `${request.method} ${request.url}`,
      body: await bodyOf(request),
      type: request.headers['content-type'],
      token: request.headers.sessionid,
    })
    response.end(JSON.stringify({ code: 100000, message: 'ok', data }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  calls = createCalls(
    createClient({
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      token: 'entered',
      originToken: 'own',
    }),
  )
})
beforeEach(() => {
  seen.length = 0
  data = {}
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

describe('a list', () => {
  it('is read under its own key with its exact total', async () => {
    data = { lamps: [{ id: 1 }], total: 4312, count: 7 }
    expect(await calls.list(lamp, { page: 1, name: undefined, watts: [5, 40] })).toEqual({
      rows: [{ id: 1 }],
      total: 4312,
    })
    expect(seen[0]?.line).toBe('GET /api/v1/lamp/list?page=1&watts=5&watts=40')
  })

  it.each([
    [
      { rows: [{ id: 1 }], count: 9 },
      { rows: [{ id: 1 }], total: 9 },
    ],
    [{ rows: [{ id: 1 }, { id: 2 }] }, { rows: [{ id: 1 }, { id: 2 }], total: 2 }],
    [{}, { rows: [], total: 0 }],
  ])('falls back to rows, count and what it holds: %j', async (answer, page) => {
    data = answer
    expect(await calls.list(lamp, {})).toEqual(page)
  })
})

it('every verb and action has the path, the method and the body the declaration gives it', async () => {
  await calls.create(lamp, { name: 'Hall', watts: 40 })
  await calls.update(lamp, { id: 3, watts: 60 })
  await calls.remove(lamp, [1, 2])
  await calls.export(lamp, { flag: 0, filters: { name: 'H' } })
  await calls.action(lamp, 'light', { id: 3 })
  await calls.importRun(lamp, 7)
  await calls.importStatus(lamp, 7)
  expect(seen.map(({ line, body }) => `${line} ${body}`.trim())).toEqual([
    'POST /api/v1/lamp/create {"name":"Hall","watts":40}',
    'PUT /api/v1/lamp/update {"id":3,"watts":60}',
    'DELETE /api/v1/lamp/delete {"lampIds":[1,2]}',
    'POST /api/v1/lamp/export {"flag":0,"filters":{"name":"H"}}',
    'POST /api/v1/lamp/light {"id":3}',
    'POST /api/v1/lamp/import/run {"importId":7}',
    'GET /api/v1/lamp/import/status?importId=7',
  ])
})

it('an endpoint takes its path from the input and sends the rest where the method carries it', async () => {
  await calls.call(readLogo, { key: 'a/b' })
  await calls.call(operationDetail, { id: 2 })
  await calls.call(clearNotifications, { ids: [4] })
  expect(seen.map(({ line, body }) => `${line} ${body}`.trim())).toEqual([
    'GET /api/v1/logo/a%2Fb',
    'GET /api/v1/gateway/op-log/detail?id=2',
    'DELETE /api/v1/oauth/notifications {"ids":[4]}',
  ])
})

it('an import travels as one file', async () => {
  await calls.importCheck(lamp, new File(['sheet'], 'lamps.xlsx'))
  expect(seen[0]?.type).toMatch(/^multipart\/form-data/)
  expect(seen[0]?.body).toContain('name="file"; filename="lamps.xlsx"')
})

it('passes devices from one organisation to another with the own token, whichever is entered', async () => {
  const to = { departmentId: 2 }
  await calls.action(device, 'transferBatch', { sns: ['A'], ...to })
  await calls.upload(importTransfer, new File(['sheet'], 'devices.xlsx'), to)
  await calls.list(device, {})
  expect(seen.map(({ token }) => token)).toEqual(['own', 'own', 'entered'])
})
