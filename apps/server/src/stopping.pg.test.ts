import { once } from 'node:events'
import { expect, test, vi } from 'vitest'
import { headersOf, openRaw } from './test/raw-http.ts'
import { startServer } from './test/server-process.ts'
import { temporaryFolder } from './test/temporary-folder.ts'

// A whole server starts here.
vi.setConfig({ testTimeout: 180_000 })

const password = 'Right-horse-7'
const begin = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n'

interface Document {
  readonly paths: Record<string, Record<string, { requestBody?: { content?: Record<string, unknown> } }>>
}

test('SIGTERM ends a server with stalled bodies, silent connections, deaf browsers and a running export', async () => {
  const dataDir = await temporaryFolder()
  const { address, end, said } = await startServer({
    dataDir,
    env: { CAMPANILE_ADMIN_PASSWORD: password, CAMPANILE_CAPTCHA: 'off' },
  })
  const port = Number(new URL(address).port)
  const call = async (method: string, path: string, body?: object, token = '') => {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { SessionId: token }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return (await response.json()) as { code: number; data: Record<string, string> }
  }
  const { data } = await call('POST', '/api/v1/login', { username: 'admin', password })
  const { token = '' } = data
  expect(token).not.toBe('')

  // Every route that takes a form, as the server itself documents them.
  const { paths } = (await (await fetch(`${address}/openapi.json`)).json()) as Document
  const forms = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { requestBody }]) => requestBody?.content?.['multipart/form-data'])
      .map(([method]) => ({ method: method.toUpperCase(), path })),
  )
  expect(forms.length).toBeGreaterThan(5)
  const stalled = forms.flatMap(({ method, path }) =>
    ['', begin, `${begin}--b--\r\n`, `${begin}\r\nhalf of it`].map((sent) => {
      const connection = openRaw(port)
      const type = 'multipart/form-data; boundary=b'
      connection.write(
        headersOf(method, path, { SessionId: token, 'Content-Type': type, 'Content-Length': 90_000 }) + sent,
      )
      return connection
    }),
  )
  const silent = openRaw(port)
  await once(silent.socket, 'connect')
  silent.write('GET / HTTP/1.1\r\n')

  // A browser that was let in and never answers again, not even to a goodbye.
  const { data: live } = await call('POST', '/api/v1/oauth/liveTicket', {}, token)
  const deaf = openRaw(port)
  deaf.write(
    `GET /api/live?ticket=${live.ticket} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: ${address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
  )
  const [upgraded] = (await once(deaf.socket, 'data')) as [Buffer]
  expect(upgraded.toString()).toContain('101')
  expect((await call('POST', '/api/v1/announcement/export', { flag: 0, filters: {} }, token)).code).toBe(100000)

  expect(await end('SIGTERM')).toEqual({ code: 0, signal: null })
  expect(said()).not.toContain('did not stop cleanly')
  await Promise.all([...stalled, silent, deaf].map(({ ended }) => ended))
})
