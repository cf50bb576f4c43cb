import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serveConsole } from './console-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'campanile-console-'))
const app = Fastify()
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), 'the page')
  writeFileSync(join(folder, 'favicon.svg'), '<svg/>')
  writeFileSync(join(folder, 'assets/main-1.js'), 'plain')
  writeFileSync(join(folder, 'assets/main-1.js.br'), 'brotli')
  writeFileSync(join(folder, 'assets/main-1.js.gz'), 'gzipped')
  writeFileSync(join(folder, 'assets/notes.secret'), 'of no known kind')
  await serveConsole(app, folder)
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

it('answers every screen with the page, which is asked for anew each time', async () => {
  for (const url of ['/', '/device/list', '/device/list/detail/A.1:2-3', '/index.html']) {
    const answer = await get(url)
    expect([url, answer.statusCode, answer.body]).toEqual([url, 200, 'the page'])
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' })
  }
})

it('answers the API, strange addresses and what was not built with nothing', async () => {
  for (const url of ['/api/v1/nothing', '/API', '/device/v1/x', '/a//b', '/assets/none.js', '/assets/notes.secret'])
    expect([url, (await get(url)).statusCode]).toEqual([url, 404])
  for (const url of ['/assets/..%2f..%2fetc/passwd', '/%2e%2e/package.json', '/assets/main-1.js.br'])
    expect([url, (await get(url)).body]).not.toEqual([url, 'brotli'])
})

it.each([
  ['br, gzip', 'br', 'brotli'],
  ['gzip, deflate', 'gzip', 'gzipped'],
  ['br;q=0, gzip;q=0.5', 'gzip', 'gzipped'],
  ['identity', undefined, 'plain'],
])('packs hashed files for who accepts %s as %s, for a year', async (accepted, encoding, body) => {
  const answer = await get('/assets/main-1.js', { 'accept-encoding': accepted })
  expect([answer.body, answer.headers['content-encoding']]).toEqual([body, encoding])
  expect(answer.headers).toMatchObject({
    vary: 'accept-encoding',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'text/javascript; charset=utf-8',
  })
})

it('sends nothing again that the browser still has, each packing by its own tag', async () => {
  const first = await get('/assets/main-1.js', { 'accept-encoding': 'br' })
  const again = (tag: string, accepted: string) =>
    get('/assets/main-1.js', { 'if-none-match': tag, 'accept-encoding': accepted })
  const tag = String(first.headers.etag)
  expect((await again(tag, 'br')).statusCode).toBe(304)
  expect((await again(`"other", W/${tag}`, 'br')).statusCode).toBe(304)
  expect((await again(tag, 'gzip')).body).toBe('gzipped')
})
