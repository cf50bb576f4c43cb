import { once } from 'node:events'
import { endOwnSession, liveTicket, logout, type OwnSession, ownSessions, refreshSession } from '@campanile/contract'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { addDepartment, addRole, addUser, startTestApp, type TestApp } from '../../test/app.ts'

let test: TestApp
/** A second server process on the same database. */
let other: TestApp
const at = { root: 0, roleId: 0, otherRole: 0 }
let userId = 0
let people = 0
let name = ''
const opened: WebSocket[] = []
/** What the server wrote down. */
const logged: { level: number; msg: string }[] = []
let host = ''

beforeAll(async () => {
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
  test = await startTestApp({ log })
  other = await startTestApp({ database: test.database, clock: test.clock, secrets: test.secrets })
  host = new URL(await test.app.listen({ port: 0, host: '127.0.0.1' })).host
  at.root = await addDepartment(test.db, { name: 'Platform' })
  at.roleId = await addRole(test.db, { departmentId: at.root, permissions: ['org:list:list'] })
  at.otherRole = await addRole(test.db, { departmentId: at.root, permissions: ['org:list:edit'] })
})
afterAll(async () => {
  await other.close()
  await test.stop()
})
beforeEach(async () => {
  people += 1
  name = `person${people}`
  userId = await addUser(test.db, { username: name, departmentId: at.root, roleIds: [at.roleId] })
})
afterEach(() => {
  for (const socket of opened.splice(0)) socket.terminate()
})

const connect = (ticket: string | undefined, headers: Record<string, string> = {}) =>
  new Promise<WebSocket>((resolve, reject) => {
    const query = ticket === undefined ? '' : `?ticket=${ticket}`
    const socket = new WebSocket(`ws://${host}/api/live${query}`, { headers: { origin: `http://${host}`, ...headers } })
    socket.once('open', () => resolve(socket))
    socket.once('error', reject)
  })
const ticketFor = async (token: string) => (await test.call(liveTicket, {}, { token })).data.ticket as string

const listen = async () => {
  const { token } = await test.signIn(name)
  const socket = await connect(await ticketFor(token))
  opened.push(socket)
  const messages: { type: string }[] = []
  socket.on('message', (data) => messages.push(JSON.parse(String(data))))
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  return { token, socket, messages, closed }
}
/** The code it was closed with; a second more than is allowed, so that the test says what happened. */
const closing = (closed: Promise<number>) =>
  Promise.race([closed, new Promise<'still open'>((resolve) => setTimeout(() => resolve('still open'), 3000))])

describe('a live connection', () => {
  it('ends with a message that is too long, and leaves one warning without a word of it', async () => {
    const { socket, closed } = await listen()
    logged.length = 0
    socket.send(`secret ${'x'.repeat(20_000)}`)
    expect(await closing(closed)).not.toBe('still open')
    await expect.poll(() => logged).toMatchObject([{ level: 40, msg: 'live connection ended' }])
    expect(JSON.stringify(logged)).not.toContain('secret')
  })

  it('hears what any server process has to tell its user, and nothing for others', async () => {
    const { messages } = await listen()
    const { tell } = other.app.services.notify
    await tell(other.db, [userId + 1000], { type: 'secret' })
    await tell(other.db, [userId], { type: 'hello', n: 1 })
    await expect.poll(() => messages).toEqual([{ type: 'hello', n: 1 }])
  })

  it('hears of news once their transaction is certain, and never of those that were taken back', async () => {
    const { messages } = await listen()
    const { notify } = other.app.services.notify
    const back = other.db.transaction().execute(async (tx) => {
      await notify(tx, [userId], { type: 'alert', word: 'wrongCodes' })
      throw new Error('taken back')
    })
    await expect(back).rejects.toThrow('taken back')
    await other.db.transaction().execute((tx) => notify(tx, [userId], { type: 'alert', word: 'superSignIn' }))
    await expect.poll(() => messages).toEqual([{ type: 'notification', kind: 'alert', word: 'superSignIn' }])
    const { rows } = await sql`select title from notification where user_id = ${userId}`.execute(test.db)
    expect(rows).toEqual([{ title: 'superSignIn' }])
  })

  it.each([
    ['logout in another process', async (token: string) => void (await other.call(logout, {}, { token }))],
    [
      'its owner in another browser',
      async (token: string) => {
        const rows = (await test.call(ownSessions, {}, { token })).data.rows as OwnSession[]
        const id = rows.find(({ current }) => current)?.id ?? ''
        await test.call(endOwnSession, { id }, { token: (await test.signIn(name)).token })
      },
    ],
    ['disabling', () => sql`update sys_user set disabled = true where id = ${userId}`.execute(test.db)],
    [
      'the end of the validity',
      () => sql`update sys_user set valid_end = '2020-01-01' where id = ${userId}`.execute(test.db),
    ],
    [
      'an address list',
      () => sql`update sys_user set whitelist_ip = '{203.0.113.1}' where id = ${userId}`.execute(test.db),
    ],
    ['deletion', () => sql`delete from sys_user where id = ${userId}`.execute(test.db)],
    ['going idle', async () => test.clock.advance(31 * 60)],
  ])('is closed within two seconds by %s', async (_, end) => {
    const { token, closed, messages } = await listen()
    await end(token)
    expect(await closing(closed)).toBe(4401)
    expect(messages).toEqual([{ type: 'sessionEnd' }])
  })

  it.each([
    ['another role', () => sql`insert into user_role values (${userId}, ${at.otherRole})`.execute(test.db)],
    ['a role taken away', () => sql`delete from user_role where user_id = ${userId}`.execute(test.db)],
    [
      'a change of what the role grants',
      () =>
        sql`with gone as (delete from role_department where role_id = ${at.roleId} returning *)
        select * from gone`.execute(test.db),
    ],
  ])('is closed within two seconds by %s, and may come back', async (_, change) => {
    const { token, closed } = await listen()
    await change()
    expect(await closing(closed)).toBe(4409)
    expect((await test.call(refreshSession, {}, { token })).code).toBe(100000)
    opened.push(await connect(await ticketFor(token)))
  })
})

describe('its ticket', () => {
  it('is used once, within thirty seconds', async () => {
    const { token } = await test.signIn(name)
    const ticket = await ticketFor(token)
    opened.push(await connect(ticket))
    await expect(connect(ticket)).rejects.toThrow('401')
    const late = await ticketFor(token)
    test.clock.advance(30)
    await expect(connect(late)).rejects.toThrow('401')
    await expect(connect(undefined)).rejects.toThrow('401')
    await expect(connect(token)).rejects.toThrow('401')
  })

  it('is refused from a page of another site', async () => {
    const { token } = await test.signIn(name)
    for (const origin of [
      'http://evil.example',
      'null',
      '',
      `http://${host}.evil.example`,
      `https://${host}1`,
      `http://${host}@evil.example`,
    ])
      await expect(connect(await ticketFor(token), { origin })).rejects.toThrow('403')
  })

  it('is open to a program, which comes from no page', async () => {
    const { token } = await test.signIn(name)
    const socket = new WebSocket(`ws://${host}/api/live?ticket=${await ticketFor(token)}`)
    opened.push(socket)
    await once(socket, 'open')
  })

  it('leads to a session that ended meanwhile only for a second', async () => {
    const { token } = await test.signIn(name)
    const ticket = await ticketFor(token)
    await test.call(logout, {}, { token })
    const socket = await connect(ticket).catch(() => undefined)
    if (socket) expect(await closing(new Promise((resolve) => socket.on('close', resolve)))).toBe(4401)
  })
})
