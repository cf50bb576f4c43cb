import { startScanLogin } from '@campanile/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../test/app.ts'

let server: TestApp
beforeAll(async () => {
  server = await startTestApp()
})
afterAll(() => server.stop())

test('more calls at once than there are connections are counted and answered, none waits for another', async () => {
  const calls = Array.from({ length: 30 }, () => server.call(startScanLogin, {}))
  expect((await Promise.all(calls)).map(({ code }) => code)).toEqual(calls.map(() => 100000))
})

test('the call after the last one that is allowed is refused', async () => {
  const codes = []
  for (let at = 30; at <= 60; at += 1) codes.push((await server.call(startScanLogin, {})).code)
  expect(codes.at(-2)).toBe(100000)
  expect(codes.at(-1)).toBe(100020)
})
