import { protocol, readSerials, sendUploadPart } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { DeclaredRoute } from '../app.ts'
import { createMessageIds } from '../domains/command/message-id.ts'
import { createUploadTokens } from '../domains/command/upload.service.ts'
import { addRole, addUser, startTestApp, type TestApp } from '../test/app.ts'
import { addDevices } from '../test/devices.ts'
import { headersOf, openRaw, type RawConnection } from '../test/raw-http.ts'
import { announce } from '../test/uploads.ts'
import { type Person, startWorld, type World } from '../test/world.ts'

// Every route that takes a body, in every phase, and more of them with every room that is added
vi.setConfig({ testTimeout: 180_000 })

const pace = { quietMs: 1_000, headStartMs: 1_000, slowestBytesPerSecond: 1_024, longestMs: 5_000 }
let world: World
let port: number
/** One account a phase: nobody may send more than a few files at once. */
let people: Person[]
const opened: RawConnection[] = []
const dripping: NodeJS.Timeout[] = []

const boundary = 'stalled'
const begin = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n`
const type = `multipart/form-data; boundary=${boundary}`
/** What is sent of a form, and how much was promised. `undefined`: the headers themselves stay open. */
const formPhases: Record<string, { sent?: string; promised: number }> = {
  'in the headers': { promised: 500 },
  'before the first byte': { sent: '', promised: 500 },
  'in the middle of a part': { sent: `${begin}\r\nSN-1,SN-2`, promised: 5_000 },
  'in the headers of a part': { sent: begin, promised: 5_000 },
  'between two parts': { sent: `${begin}\r\nSN-1\r\n--${boundary}\r\n`, promised: 5_000 },
  'without a blank line': { sent: `${begin}--${boundary}--\r\n`, promised: begin.length + boundary.length + 6 },
  'without the last line': { sent: `${begin}\r\nSN-1\r\n`, promised: begin.length + 8 },
  'one byte before the end': {
    sent: `${begin}\r\nSN-1\r\n--${boundary}--`,
    promised: begin.length + 14 + boundary.length,
  },
}
const rawPhases = ['in the headers', 'before the first byte', 'in the middle of a part', 'one byte before the end']

beforeAll(async () => {
  world = await startWorld({ pace })
  port = Number(new URL(await world.app.listen({ port: 0, host: '127.0.0.1' })).port)
  const permissions = [...new Set(world.app.routesDeclared.map(({ rules }) => rules.perm))]
  const roleIds = [await addRole(world.db, { departmentId: world.root, permissions })]
  people = await Promise.all(
    Object.keys(formPhases).map(async (_, at) => {
      await addUser(world.db, { username: `sender${at}`, departmentId: world.root, roleIds })
      return world.as(`sender${at}`)
    }),
  )
})
afterAll(() => world.stop())
afterEach(() => {
  for (const timer of dripping.splice(0)) clearInterval(timer)
  for (const { socket } of opened.splice(0)) socket.destroy()
})

const uploads = (raw: boolean) => world.app.routesDeclared.filter(({ upload }) => upload && upload.raw === raw)

const open = () => {
  const connection = openRaw(port)
  opened.push(connection)
  return connection
}
const stall = (head: string, phase: { sent?: string }) => {
  const connection = open()
  connection.write(phase.sent === undefined ? head.slice(0, -4) : head + phase.sent)
  return connection
}

const heldTransactions = async () => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`.execute(world.db)
  return rows[0]?.n
}
/** As many as would wait for one another if anything held the pool. */
const neighbours = () =>
  Promise.all(Array.from({ length: 12 }, () => world.request('GET', '/readyz').then(({ code }) => code)))

const expectNobodyWaits = async () => {
  expect(await neighbours()).toEqual(Array.from({ length: 12 }, () => 100000))
  // Jobs are looked for meanwhile, which takes a moment.
  await expect.poll(heldTransactions).toBe(0)
  await expect.poll(() => world.database.pool.waitingCount).toBe(0)
}

const endsIn4xx = async (connections: readonly RawConnection[]) => {
  const answers = await Promise.all(connections.map(({ answered }) => answered))
  expect(answers.filter(({ status }) => status < 400 || status >= 500)).toEqual([])
}

const askForFile = async (sn: string) => {
  const admin = await world.as('alder.admin')
  await addDevices(world.db, [sn], { departmentId: world.a.shop, type: 3 })
  await admin.post('/api/v3/device/basic/command', { command: 'uploadLog', args: { type: 'log' }, sns: [sn] })
  const { rows } = await sql<{ id: number; attempt: number }>`select id, attempt from command where sn = ${sn}`.execute(
    world.db,
  )
  const { id, attempt } = rows[0] as { id: number; attempt: number }
  const named = createMessageIds(world.secrets.signingKey).write({ id, attempt, sn, plainId: false })
  return createUploadTokens(world.secrets.signingKey).uploadFor('uploadLog', sn, named) as {
    url: string
    token: string
  }
}

/** How a body gets past the door of a route that takes it raw; a new such route needs a line here. */
const doors: Record<string, (name: string) => Promise<{ url: string; headers: Record<string, string> }>> = {
  'PUT /device/v1/upload/:id': async (name) => {
    const { url, token } = await askForFile(name)
    return { url, headers: { [protocol.uploadTokenHeader]: token } }
  },
  'PUT /api/v3/file/upload/part': async (name) => {
    const person = await world.as('alder.admin')
    const { promised = 1 } = formPhases[rawPhases[Number(name.split('-')[1])] ?? ''] ?? {}
    const { data } = await announce(person, Buffer.from(name), { size: promised })
    const query = new URLSearchParams({ id: String(data.id), part: '0', md5: '0'.repeat(32) })
    return { url: `${sendUploadPart.path}?${query}`, headers: { SessionId: person.token } }
  },
}

const nameOf = ({ method, url }: DeclaredRoute) => `${method} ${url}`

describe('a sender that stalls', () => {
  it('on any route that takes a file, in any phase, holds nothing and is let go', async () => {
    const routes = uploads(false)
    expect(routes.length).toBeGreaterThan(5)
    // Four at a time, as one person may.
    for (let at = 0; at < routes.length; at += 4) {
      const stalled = routes.slice(at, at + 4).flatMap(({ method, url }) =>
        Object.values(formPhases).map((phase, who) => {
          const headers = {
            SessionId: people[who]?.token ?? '',
            'Content-Type': type,
            'Content-Length': phase.promised,
          }
          return stall(headersOf(method, url, headers), phase)
        }),
      )
      await new Promise((resolve) => setTimeout(resolve, 200))
      await expectNobodyWaits()
      await endsIn4xx(stalled)
      await Promise.all(stalled.map(({ socket }) => socket.destroy()))
    }
    await expectNobodyWaits()
    const { pool } = world.database
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0)
  })

  it('is a device that sends a file', async () => {
    for (const route of uploads(true)) {
      const door = doors[nameOf(route)]
      if (!door) throw new Error(`${nameOf(route)} takes a body: say in \`doors\` how one gets in`)
      const stalled = []
      for (const [at, phase] of rawPhases.entries()) {
        const { url, headers } = await door(`STALL-${at}`)
        const { sent, promised } = formPhases[phase] ?? { promised: 1 }
        const head = headersOf(route.method, url, { ...headers, 'Content-Length': promised })
        stalled.push(stall(head, sent === undefined ? {} : { sent }))
      }
      await new Promise((resolve) => setTimeout(resolve, 200))
      await expectNobodyWaits()
      await endsIn4xx(stalled)
    }
  })

  it('sends a byte now and then, on a route of any kind', async () => {
    const methods = ['POST', 'PUT', 'DELETE']
    const routes = world.app.routesDeclared.filter(({ method, upload }) => methods.includes(method) && !upload?.raw)
    expect(routes.length).toBeGreaterThan(50)
    const token = people[0]?.token ?? ''
    const connections = [...routes.map(nameOf), 'POST /nothing/here', 'GET /api/v1/runtime'].map((name) => {
      const [method = '', url = ''] = name.split(' ')
      const connection = open()
      const kind = uploads(false).some((route) => nameOf(route) === name) ? type : 'application/json'
      connection.write(
        headersOf(method, url.replace(/:\w+/g, '1'), { SessionId: token, 'Content-Type': kind, 'Content-Length': 900 }),
      )
      return connection
    })
    dripping.push(
      setInterval(() => {
        for (const connection of connections) connection.write(' ')
      }, 300),
    )
    await expectNobodyWaits()
    // Whoever was answered at once is let go as well: the connection ends although its body never came.
    const ended = await Promise.all(connections.map(async (connection) => (await connection.ended).slice(0, 12)))
    expect(ended.filter((text) => /^HTTP\/1\.1 5/.test(text))).toEqual([])
  })

  it('says nothing at all, or not even all its headers', async () => {
    const silent = open()
    const slow = open()
    slow.write('GET /healthz HTTP/1.1\r\nHost: a\r\n')
    dripping.push(setInterval(() => slow.write('X-A: b\r\n'), 300))
    await Promise.all([silent.ended, slow.ended])
  })

  it('is refused before its body is looked at when it may not send', async () => {
    const guarded = world.app.routesDeclared.filter(({ method, rules }) => method !== 'GET' && rules.perm.includes(':'))
    const roleIds = [await addRole(world.db, { departmentId: world.root, permissions: ['org:list:list'] })]
    await addUser(world.db, { username: 'powerless', departmentId: world.root, roleIds })
    const { token } = await world.as('powerless')
    for (const kind of [type, 'application/json']) {
      const routes = guarded.filter(({ upload }) => (upload !== undefined) === (kind === type))
      const codes = await Promise.all(
        routes.map(async ({ method, url }) => {
          const connection = open()
          connection.write(headersOf(method, url, { SessionId: token, 'Content-Type': kind, 'Content-Length': 900 }))
          const { code } = await connection.answered
          return `${url} ${code}`
        }),
      )
      expect(codes.length).toBeGreaterThan(5)
      expect(codes.filter((code) => !code.endsWith('100013'))).toEqual([])
    }
  })
})

describe('where nobody is ever too slow', () => {
  let patient: TestApp
  let patientPort: number
  let head: string
  let asWho: (who: number) => string
  const day = 86_400_000
  const patience = { quietMs: day, headStartMs: day, slowestBytesPerSecond: 1, longestMs: day }

  /** A second server of the same installation. */
  beforeEach(async () => {
    const { database, clock, secrets } = world
    patient = await startTestApp({ database, clock, secrets, pace: patience })
    patientPort = Number(new URL(await patient.app.listen({ port: 0, host: '127.0.0.1' })).port)
    const { method, path: url } = readSerials
    asWho = (who) =>
      headersOf(method, url, { SessionId: people[who]?.token ?? '', 'Content-Type': type, 'Content-Length': 900 })
    head = asWho(1)
  })
  const send = (text: string) => {
    const connection = openRaw(patientPort)
    opened.push(connection)
    connection.write(text)
    return connection
  }

  it('a sender that leaves is forgotten at once: its place is free for the next file', async () => {
    // Four have a place and are waited for; whichever comes fifth is told so.
    const senders = Array.from({ length: 5 }, () => send(head + begin))
    expect((await Promise.race(senders.map(({ answered }) => answered))).code).toBe(100005)
    for (const { socket } of senders) socket.destroy()
    const body = `${begin}\r\nSN-1\r\n--${boundary}--\r\n`
    const whole = head.replace('900', String(body.length)) + body
    await expect.poll(async () => (await send(whole).answered).code).not.toBe(100005)
    await patient.close()
  })

  it('a sender who has not sent all yet holds no turn: a whole file of the same person is read', async () => {
    const senders = Array.from({ length: 3 }, () => send(asWho(3) + begin))
    await new Promise((resolve) => setTimeout(resolve, 300))
    const body = `${begin}\r\nSN-1\r\n--${boundary}--\r\n`
    expect((await send(asWho(3).replace('900', String(body.length)) + body).answered).code).not.toBe(100005)
    for (const { socket } of senders) socket.destroy()
    await patient.close()
  })

  it('a right that is taken away while a file comes is gone when it has come', async () => {
    const body = `${begin}\r\nSN-1\r\n--${boundary}--\r\n`
    const connection = send(asWho(2).replace('900', String(body.length)) + body.slice(0, -9))
    await new Promise((resolve) => setTimeout(resolve, 300))
    await sql`delete from user_role where user_id = (select id from sys_user where username = 'sender2')`.execute(
      world.db,
    )
    connection.write(body.slice(-9))
    expect(await connection.answered).toEqual({ status: 403, code: 100013 })
    await patient.close()
  })

  it('a server that is stopped ends what is in flight and does not wait for it', async () => {
    const connection = send(head + begin)
    await new Promise((resolve) => setTimeout(resolve, 300))
    await patient.close()
    expect((await connection.answered).status).toBe(400)
  })
})
