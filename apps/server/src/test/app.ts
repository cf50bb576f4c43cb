import { constants, generateKeyPairSync, publicEncrypt, randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Endpoint, type InputOf, login, publicKey, type SignedIn } from '@campanile/contract'
import { hash } from '@node-rs/argon2'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import pino, { type Logger } from 'pino'
import { expect, vi } from 'vitest'
import { createApp } from '../app.ts'
import { usernameKey } from '../domains/identity/index.ts'
import type { BodyPace } from '../platform/body-pace.ts'
import type { Clock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import type { Db } from '../platform/db.ts'
import { createSeal } from '../platform/seal.ts'
import type { Secrets } from '../platform/secrets.ts'
import { createSettings } from '../platform/settings.ts'
import type { Services } from '../services.ts'
import { type TestDatabase, testDatabase } from './pg.ts'

/** Every test account's, unless it is given another. */
export const testPassword = 'Right-horse-7'

/** Stands still until told to move on. */
export interface FakeClock extends Clock {
  advance(seconds: number): void
}

export const fakeClock = (from = new Date()): FakeClock => {
  let at = from.getTime()
  return {
    now: () => new Date(at),
    advance: (seconds) => {
      at += seconds * 1000
    },
  }
}

export interface Answer<D = Record<string, unknown>> {
  readonly status: number
  readonly code: number
  readonly message: string
  readonly data: D
}

export interface CallOptions {
  readonly token?: string
  readonly ip?: string
  readonly headers?: Readonly<Record<string, string>>
}

const testConfig = (dataDir: string): Config => ({
  host: '127.0.0.1',
  port: 0,
  mqttPort: 0,
  dataDir,
  demo: false,
  captcha: false,
  trustedProxies: [],
  // The gateway is a process of its own: those who need it ask for it.
  roles: ['api', 'worker'],
  // Walkers ask thousands of times in a minute.
  requestsPerMinute: 1_000_000,
})

/** Found once for all: looking for the primes takes longer than all else that a test server needs to start. */
const { publicKey: publicKeyPem, privateKey: privateKeyPem } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

const testSecrets = (): Secrets => ({
  sealKey: randomBytes(32),
  signingKey: randomBytes(32),
  passwordKeyPair: { publicKeyPem, privateKeyPem },
  database: { owner: '', app: '' },
})

const pathOf = (endpoint: Pick<Endpoint, 'path'>, input: Readonly<Record<string, unknown>>) =>
  endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input[name])))

const queryOf = (endpoint: Pick<Endpoint, 'path'>, input: Readonly<Record<string, unknown>>) => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined || endpoint.path.includes(`:${name}`)) continue
    for (const each of [value].flat()) query.append(name, String(each))
  }
  return query.size > 0 ? `?${query}` : ''
}

/** A form with one file, as a browser sends it. */
const formWith = (content: Buffer) => ({
  payload: Buffer.concat([
    Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n'),
    content,
    Buffer.from('\r\n--b--\r\n'),
  ]),
  headers: { 'content-type': 'multipart/form-data; boundary=b' },
})

/** The real server on a database of its own; `stop` it in `afterAll`. Nothing is faked but the clock. */
export const startTestApp = async (
  settings: Partial<Config> & {
    clock?: FakeClock
    database?: TestDatabase
    secrets?: Secrets
    log?: Logger
    pace?: BodyPace
    /** Rooms that only this test has. */
    also?: (services: Services) => void
  } = {},
) => {
  const {
    clock = fakeClock(),
    database = await testDatabase(),
    secrets = testSecrets(),
    log = pino({ level: 'fatal' }),
    pace,
    also,
    ...config
  } = settings
  const dataDir = join(tmpdir(), `campanile-test-${randomBytes(6).toString('hex')}`)
  const undeclared = 'refuse' as const
  const deps = { db: database.db, pool: database.pool, log, secrets, clock, undeclared, ...(pace && { pace }) }
  const app: FastifyInstance = await createApp({ ...deps, config: { ...testConfig(dataDir), ...config } })
  also?.(app.services)
  await app.ready()

  const request = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    body?: unknown,
    { token, ip, headers }: CallOptions = {},
  ): Promise<Answer> => {
    const response = await app.inject({
      method,
      url,
      ...(body === undefined ? {} : { payload: body as object }),
      ...(ip ? { remoteAddress: ip } : {}),
      headers: { ...(token ? { sessionid: token } : {}), ...headers },
    })
    return { status: response.statusCode, ...(response.json() as Omit<Answer, 'status'>) }
  }

  const upload = async (url: string, content: Buffer, { token }: CallOptions): Promise<Answer> => {
    const { payload, headers } = formWith(content)
    return request('POST', url, payload, { headers: { ...headers, sessionid: token ?? '' } })
  }

  /** Bytes as the body itself. */
  const putBytes = (url: string, content: Buffer, { token }: CallOptions): Promise<Answer> =>
    request('PUT', url, content, {
      headers: { 'content-type': 'application/octet-stream', sessionid: token ?? '' },
    })

  /** Calls what the contract declares. */
  const call = <E extends Endpoint>(endpoint: E, input: InputOf<E>, options: CallOptions = {}): Promise<Answer> => {
    const values = input as Record<string, unknown>
    const path = pathOf(endpoint, values)
    return endpoint.method === 'GET'
      ? request('GET', `${path}${queryOf(endpoint, values)}`, undefined, options)
      : request(endpoint.method, path, values, options)
  }

  /** A session of a user without two-factor. */
  const signIn = async (username: string, password = testPassword, options: CallOptions = {}): Promise<SignedIn> => {
    const answer = await call(login, { username, password }, options)
    if (answer.code !== 100000) throw new Error(`${username} could not sign in: ${answer.code}`)
    return answer.data as unknown as SignedIn
  }

  const close = async () => {
    await app.close()
    await rm(dataDir, { recursive: true, force: true })
  }

  return {
    app,
    clock,
    secrets,
    database,
    db: database.db,
    settings: createSettings({ db: database.db, clock, seal: createSeal(secrets.sealKey) }),
    request,
    upload,
    putBytes,
    call,
    signIn,
    /** Closes the server but leaves its database to whoever made it. */
    close,
    stop: async () => {
      await close()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export type TestApp = Awaited<ReturnType<typeof startTestApp>>

const returned = async (query: Promise<{ rows: { id: number }[] }>) => (await query).rows[0]?.id as number

/** Waits until the news that were committed are in the notification centres they are meant for. */
export const newsTold = (db: Db) =>
  vi.waitFor(
    async () => {
      const { rows } = await sql`select from outbox o where o.topic = 'notification' and (o.turn is null
        or o.turn > (select turn from outbox_follower where name = 'notifications'))`.execute(db)
      expect(rows.length).toBe(0)
    },
    { timeout: 20_000 },
  )

/** Without a parent it is the installation's root. */
export const addDepartment = async (
  db: Db,
  { name, parentId = null, type = 3 }: { name: string; parentId?: number | null; type?: number },
): Promise<number> =>
  returned(
    sql<{ id: number }>`with made as (select nextval(pg_get_serial_sequence('department', 'id')) as id)
      insert into department (id, parent_id, path, name, type)
      select made.id, ${parentId}::bigint,
        (coalesce((select p.path::text || '.' from department p where p.id = ${parentId}::bigint), '') || made.id)::ltree,
        ${name}, ${type} from made returning id`.execute(db),
  )

/** A role that holds these permissions on these departments; menu entries it needs are made. */
export const addRole = async (
  db: Db,
  role: { name?: string; departmentId: number; permissions: readonly string[]; on?: readonly number[] },
): Promise<number> => {
  const { departmentId, permissions, on = [departmentId], name = randomBytes(6).toString('hex') } = role
  const id = await returned(
    sql<{
      id: number
    }>`insert into sys_role (name, department_id) values (${name}, ${departmentId}) returning id`.execute(db),
  )
  await sql`insert into menu (type, name, perms) select 2, '{}', p from unnest(${permissions}::text[]) p
    where not exists (select from menu m where m.perms = p)`.execute(db)
  await sql`insert into role_menu (role_id, menu_id) select ${id}, min(m.id) from menu m
    where m.perms = any(${permissions}) group by m.perms`.execute(db)
  await sql`insert into role_department (role_id, department_id) select ${id}, d from unnest(${on}::bigint[]) d`.execute(
    db,
  )
  return id
}

/**
 * A password as it is stored, quickly made: what it costs to check is written in the hash itself. What the product stores
 * costs what its own setting says, in tests too.
 */
export const quickHash = (password: string): Promise<string> =>
  hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })

let hashed: Promise<string> | undefined

/** Type 0 in the root is the installation's super administrator, elsewhere an enterprise's; 1-3 need roles. */
export const addUser = async (
  db: Db,
  user: { username: string; departmentId: number; type?: number; roleIds?: readonly number[]; password?: string },
): Promise<number> => {
  const { username, departmentId, type = 2, roleIds = [], password } = user
  hashed ??= quickHash(testPassword)
  const passwordHash = await (password ? quickHash(password) : hashed)
  const id = await returned(
    sql<{ id: number }>`insert into sys_user (username, username_key, real_name, department_id, type, password_hash)
      values (${username}, ${usernameKey(username)}, ${username}, ${departmentId}, ${type}, ${passwordHash}) returning id`.execute(
      db,
    ),
  )
  await sql`insert into user_role (user_id, role_id) select ${id}, r from unnest(${roleIds}::bigint[]) r`.execute(db)
  return id
}

/** As a browser sends a password: encrypted together with a nonce of the server. */
export const sealedPassword = async (test: Pick<TestApp, 'call'>, password: string): Promise<string> => {
  const { data } = await test.call(publicKey, {})
  const { publicKey: key, nonce } = data as { publicKey: string; nonce: string }
  return sealWith(key, { nonce, password })
}

export const sealWith = (key: string, content: unknown): string =>
  publicEncrypt(
    { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
    Buffer.from(JSON.stringify(content)),
  ).toString('base64')
