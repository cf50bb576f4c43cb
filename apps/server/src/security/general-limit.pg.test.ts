import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDepartment, addRole, addUser, startTestApp, type TestApp } from '../test/app.ts'

let server: TestApp
const perMinute = 60
beforeAll(async () => {
  server = await startTestApp({ requestsPerMinute: perMinute })
  const departmentId = await addDepartment(server.db, { name: 'Platform' })
  const roleIds = [await addRole(server.db, { departmentId, permissions: ['org:list:list'] })]
  for (const username of ['hasty', 'calm']) await addUser(server.db, { username, departmentId, roleIds })
})
afterAll(() => server.stop())

const ask = (token: string, remoteAddress: string) =>
  server.app.inject({ method: 'GET', url: '/api/v1/oauth/profile', headers: { sessionid: token }, remoteAddress })

it('one account’s requests are counted over all its sessions and addresses, and nobody else’s with them', async () => {
  const sessions = [(await server.signIn('hasty')).token, (await server.signIn('hasty')).token]
  const calm = (await server.signIn('calm')).token
  let granted = 0
  let answer = await ask(sessions[0] as string, '203.0.113.1')
  // Some come back while we ask; nobody asks as slowly as they do.
  for (; answer.statusCode === 200 && granted < 5_000; granted += 1)
    answer = await ask(sessions[granted % 2] as string, `203.0.113.${granted % 250}`)
  expect(granted).toBeGreaterThanOrEqual(perMinute)
  expect(answer.statusCode).toBe(429)
  expect(answer.json()).toMatchObject({ code: 100020 })
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  expect((await ask(calm, '203.0.113.1')).statusCode).toBe(200)
})
