import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/pg.ts'
import { OperatorError } from '../operator-error.ts'
import { ensureFence, refuseOld, useExternal } from './external.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const administer = async (sql: string) => {
  const client = new pg.Client(database.owner)
  await client.connect()
  return client.query(sql).finally(() => client.end())
}

const urlOf = ({ host, port, user, password, database: name }: pg.ClientConfig): string => {
  const query = new URLSearchParams({
    host: String(host),
    port: String(port),
    user: String(user),
    password: String(password),
  })
  return `postgres:///${name}?${query}`
}

afterEach(() => administer('DROP ROLE IF EXISTS campanile_test_limited'))

/** A login that may use the database and nothing else. */
const limitedUrl = async (): Promise<string> => {
  await administer(`CREATE ROLE campanile_test_limited LOGIN PASSWORD 'limited'`)
  return urlOf({ ...database.owner, user: 'campanile_test_limited', password: 'limited' })
}

test('the role that serves requests logs in at the same place', async () => {
  const { app } = await useExternal(urlOf(database.owner), String(inject('testServer').app.password))
  const client = new pg.Client(app)
  await client.connect()
  const { rows } = await client.query('SELECT current_user AS who, current_database() AS place')
  await client.end()
  expect(rows).toEqual([{ who: 'campanile_app', place: database.owner.database }])
})

test("a role with another installation's password is left alone, and the statement to change it is told", async () => {
  const attempt = useExternal(await limitedUrl(), 'another-installation')
  await expect(attempt).rejects.toThrow(/ALTER ROLE campanile_app LOGIN PASSWORD 'SCRAM-SHA-256\$4096:\S+';$/)
  await expect(attempt).rejects.not.toThrow('another-installation')
})

test.each([
  [
    'the role is missing',
    'ALTER ROLE campanile_fenced RENAME TO campanile_test_away',
    ['CREATE ROLE campanile_fenced NOLOGIN;', 'GRANT campanile_fenced TO campanile_app;'],
  ],
  [
    'nobody may turn into it',
    'REVOKE campanile_fenced FROM campanile_app',
    ['GRANT campanile_fenced TO campanile_app;'],
  ],
])(
  'where %s behind the second fence, and this login may not mend it, the statements are told and suffice',
  async (_, damage, statements) => {
    await limitedUrl()
    const client = new pg.Client(database.owner)
    await client.connect()
    try {
      // Never committed: roles belong to the whole server, and others are using it.
      await client.query(`BEGIN; ${damage}; SAVEPOINT damaged; SET LOCAL ROLE campanile_test_limited`)
      const refusal = await ensureFence(client).catch((error: unknown) => error)
      expect(refusal).toBeInstanceOf(OperatorError)
      const [sentence, ...told] = (refusal as OperatorError).message.split('\n')
      expect(sentence).toBe(
        'The role campanile_fenced is missing and may not be made with this login. Let an administrator run:',
      )
      expect(told).toEqual(statements)
      await client.query(`ROLLBACK TO damaged; RESET ROLE; ${told.join('\n')} SET LOCAL ROLE campanile_test_limited`)
      await ensureFence(client)
    } finally {
      await client.query('ROLLBACK').finally(() => client.end())
    }
  },
)

test('a server that does not answer or does not know the login is named without the password', async () => {
  await expect(useExternal('postgres://me:hunter2@127.0.0.1:1/x', 'x')).rejects.toThrow(
    'PostgreSQL at 127.0.0.1:1/x does not let us in',
  )
  await expect(useExternal('postgres://me:hunter2@127.0.0.1:1/x', 'x')).rejects.not.toThrow('hunter2')
  await expect(useExternal(urlOf({ ...database.owner, password: 'wrong' }), 'x')).rejects.toThrow(
    'Check CAMPANILE_DATABASE_URL',
  )
})

test('a database that does not know Chinese letters is refused', async () => {
  const name = `campanile_test_plain_${randomBytes(4).toString('hex')}`
  await administer(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LC_CTYPE 'C' LC_COLLATE 'C'`)
  try {
    await expect(useExternal(urlOf({ ...database.owner, database: name }), 'x')).rejects.toThrow(
      'has encoding UTF8 and LC_CTYPE C',
    )
  } finally {
    await administer(`DROP DATABASE ${name}`)
  }
})

test.each([
  ['140012', false],
  ['150000', true],
  ['180004', true],
])('server version %s is accepted: %s', (number, accepted) => {
  const check = () => refuseOld({ number, name: 'x' }, 'db.example/campanile')
  if (accepted) expect(check).not.toThrow()
  else expect(check).toThrow('Campanile needs PostgreSQL 15 or newer')
})
