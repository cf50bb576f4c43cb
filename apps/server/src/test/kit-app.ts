import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError, gatewayErrors } from '@campanile/contract'
import fastifyMultipart from '@fastify/multipart'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import pino from 'pino'
import type { Actor, Grant } from '../kit/actor.ts'
import { sendError, toAppError } from '../kit/answer.ts'
import { callerOf } from '../kit/caller.ts'
import { createKit } from '../kit/route.ts'
import { readConfig } from '../platform/config.ts'
import type { Db } from '../platform/db.ts'
import { loadSecrets } from '../platform/secrets.ts'
import type { Services } from '../services.ts'
import { createWork } from '../work.ts'
import { type TestDatabase, testDatabase } from './pg.ts'

/** Somebody made for a test: what they may do is said in the test, everything else is real. */
export interface Person {
  readonly id: number
  grants: Grant[]
  operating: number | null
}

const place = async (db: Db, id: number) => {
  const { rows } = await sql<{ id: number; name: string; type: number; path: string }>`
    select id, name, type, path::text from department where id = ${id}`.execute(db)
  const found = rows[0]
  if (!found) throw new Error(`no department ${id}`)
  return found
}

/** The kit with its long work on a database of its own; signing in is a header with the person's id. */
export const startKitApp = async (mountRooms: (services: Services) => void) => {
  const database: TestDatabase = await testDatabase()
  const { db, pool } = database
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' })
  const dataDir = await mkdtemp(join(tmpdir(), 'campanile-kit-'))
  const config = { ...readConfig({}), dataDir }
  const secrets = await loadSecrets(dataDir)
  const people = new Map<number, Person>()

  const actorOf = async (userId: number, operating: number | null): Promise<Actor | null> => {
    const { rows } = await sql<{ username: string; realName: string; type: number; departmentId: number }>`
      select username, real_name as "realName", type, department_id as "departmentId" from sys_user where id = ${userId}`.execute(
      db,
    )
    const person = people.get(userId)
    const user = rows[0]
    if (!user || !person) return null
    return {
      id: userId,
      username: user.username,
      realName: user.realName,
      type: user.type,
      department: await place(db, user.departmentId),
      grants: person.grants,
      operating: operating ? await place(db, operating) : null,
      sessionHash: Buffer.alloc(32),
      originHash: Buffer.alloc(32),
      passwordExpired: false,
    }
  }

  const app: FastifyInstance = Fastify({ loggerInstance: log as FastifyBaseLogger, disableRequestLogging: true })
  app.setErrorHandler((error, request, reply) => sendError(reply, toAppError(error), callerOf(request).language))
  await app.register(fastifyMultipart, { limits: { files: 1, fields: 10, parts: 12 }, throwFileSizeLimit: true })
  const work = createWork(
    { config, db, pool, log },
    { actorOf, keepDays: () => Promise.resolve(7), limit: () => Promise.resolve() },
  )
  const kit = createKit({
    app,
    db,
    callerOf,
    longWork: work.longWork,
    authenticate: async (request) => {
      const id = Number(request.headers.sessionid)
      const actor = await actorOf(id, people.get(id)?.operating ?? null)
      if (!actor) throw new AppError(gatewayErrors.accessTokenMissing)
      return actor
    },
  })
  mountRooms({ config, secrets, db, pool, log, app, kit, ...work })
  app.addHook('onReady', work.start)
  app.addHook('onClose', work.stop)
  await app.ready()

  const addDepartment = async (name: string, parent?: { id: number; path: string }, type = 0) => {
    const { rows } = await sql<{ id: number; path: string }>`
      with n as (select nextval(pg_get_serial_sequence('department', 'id')) as id)
      insert into department (id, parent_id, path, name, type)
      select n.id, ${parent?.id ?? null}, (${parent ? `${parent.path}.` : ''} || n.id)::ltree, ${name}, ${type} from n
      returning id, path::text`.execute(db)
    return rows[0] as { id: number; path: string }
  }

  const addPerson = async (username: string, department: { id: number }, grants: Grant[], type = 2) => {
    const { rows } = await sql<{ id: number }>`insert into sys_user
        (username, username_key, real_name, department_id, type, password_hash)
      values (${username}, ${username.toLowerCase()}, ${`${username} 名`}, ${department.id}, ${type}, '-') returning id`.execute(
      db,
    )
    const person: Person = { id: rows[0]?.id as number, grants, operating: null }
    people.set(person.id, person)
    return person
  }

  const call = async (
    person: Person | null,
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    body?: object,
    headers: Record<string, string> = {},
  ) => {
    const answer = await app.inject({
      method,
      url,
      headers: { ...(person && { sessionid: String(person.id) }), 'accept-language': 'en', ...headers },
      ...(body && { payload: body }),
    })
    return answer
  }

  return {
    ...database,
    app,
    dataDir,
    secrets,
    work,
    people,
    addDepartment,
    addPerson,
    call,
    /** The envelope of an answer. */
    ask: async (...args: Parameters<typeof call>) => {
      const answer = await call(...args)
      return answer.json() as { code: number; message: string; data: Record<string, unknown> }
    },
    stop: async () => {
      await app.close()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export type KitApp = Awaited<ReturnType<typeof startKitApp>>
