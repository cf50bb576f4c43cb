import { createHash, randomBytes } from 'node:crypto'
import {
  codeLabels,
  configSecrets,
  configShape,
  isSecretName,
  organisationType,
  resources,
  secretMask,
} from '@campanile/contract'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { plant } from '../domains/identity/index.ts'
import { createSeal } from '../platform/seal.ts'
import { readSheet } from '../platform/sheet/read.ts'
import { testPassword } from '../test/app.ts'
import { undocumented } from '../test/documented.ts'
import { allOffices, startInstallation, type World } from '../test/world.ts'
import {
  type DeclaredCall,
  declaredCalls,
  fill,
  type Ids,
  type Kind,
  nameOf,
  openCalls,
  requestOf,
  serialsOf,
} from './declared-calls.ts'
import { createRest, furnish } from './furnish.ts'
import { plantSecrets } from './plant-secrets.ts'

// Every call in every role: minutes on a machine that has other work.
vi.setConfig({ testTimeout: 300_000 })

/** V1 (CVE-2025-43720): whoever may read a thing at all does not thereby read the secrets in it. */
const secretNames = new Set(
  [
    ...resources.flatMap(({ fields }) => Object.keys(fields).filter((name) => fields[name]?.kind === 'secret')),
    ...configSecrets,
    ...['passwordHash', 'totpSecret', 'recoveryCodes', 'codeHash', 'tokenHash', 'originHash', 'ticketHash'],
    ...['codeSealed', 'keyHash', 'answerSalt', 'credentialHash'],
  ].map((name) => name.toLowerCase()),
)
/** Names that the list of secrets holds and that are none where they stand. */
const harmless = new Set(['key', 'token', 'code'])
const isSecretKey = (key: string, value: unknown) =>
  secretNames.has(key.toLowerCase().replaceAll('_', '')) || (isSecretName(key, value) && !harmless.has(key))

/** Whoever holds the permission may be answered this secret by these calls; everybody else, and any other call, may not. */
const exceptions: readonly {
  readonly secret: string
  readonly fields: readonly string[]
  readonly perm: string
  readonly calls: readonly string[]
}[] = [
  {
    secret: 'activation code',
    fields: ['activationCode', 'qrData'],
    perm: codeLabels.perm,
    calls: ['GET /api/v3/device/FSK/list', 'POST /api/v3/device/FSK/export', `POST ${codeLabels.path}`],
  },
]
const isExcepted = (call: string, what: string, perms: ReadonlySet<string>) =>
  exceptions.some(
    ({ secret, fields, perm, calls }) =>
      calls.includes(call) &&
      (what === secret || fields.some((field) => what === `field ${field}`)) &&
      (perms.has(perm) || perms.has('all')),
  )
/** Masked, or a line of a label without its code. */
const isMasked = (value: unknown) =>
  typeof value === 'string' && (value === secretMask || value.includes(`;${secretMask};`))

/** A secret may be said to exist, and since when. */
const isTold = (value: unknown) =>
  value === null || isMasked(value) || (typeof value === 'object' && !Array.isArray(value))

interface Head {
  readonly word: string
  readonly ids: Ids
  /** Rows that hold secrets, looked at besides. */
  readonly planted: Ids
  readonly people: readonly Reader[]
}
interface Reader {
  readonly name: string
  readonly token: string
  readonly perms: ReadonlySet<string>
}

const otherOffices = allOffices.filter((office) => office !== 'admin')

let world: Omit<World, 'a' | 'b'>
let heads: Head[]
/** What must appear nowhere, in every spelling it could take, and what it is. */
const secrets = new Map<string, string>()
/** There are thousands of them and thousands of texts: a text is gone through once, not once for each. */
const startLength = 8
const formsByStart = new Map<string, Set<string>>()
/** What the server said about itself. */
const logged: string[] = []
/** The keys each call has answered, by its name; a call that answered nobody is not in it. */
const answered = new Map<string, Set<string>>()
/** Where answers are not as the API page says. */
const unlikeDocuments = new Set<string>()

const keep = (what: string, value: string | Buffer) => {
  const bytes = Buffer.from(value)
  for (const form of [
    bytes.toString('utf8'),
    bytes.toString('hex'),
    bytes.toString('base64'),
    bytes.toString('base64url'),
  ])
    if (form.length >= startLength) {
      secrets.set(form, what)
      const start = form.slice(0, startLength)
      formsByStart.set(start, (formsByStart.get(start) ?? new Set()).add(form))
    }
}

const guiltyKeys = (value: unknown, keys: Set<string>): string[] => {
  if (Array.isArray(value)) return value.flatMap((each) => guiltyKeys(each, keys))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) => {
    keys.add(key)
    return [...(isSecretKey(key, each) && !isTold(each) ? [`field ${key}`] : []), ...guiltyKeys(each, keys)]
  })
}
const guiltyValues = (text: string): string[] => {
  const found = new Set<string>()
  for (let at = 0; at <= text.length - startLength; at += 1) {
    const forms = formsByStart.get(text.slice(at, at + startLength))
    if (forms) for (const form of forms) if (text.startsWith(form, at)) found.add(form)
  }
  return [...found].map((form) => secrets.get(form) as string)
}

/** What an answer lets out. */
const guilt = (name: string, text: string, isJson: boolean): string[] => {
  if (!isJson) return guiltyValues(text)
  const { code, data } = JSON.parse(text) as { code?: number; data?: unknown }
  const keys = code === 100000 ? (answered.get(name) ?? new Set<string>()) : new Set<string>()
  const found = guiltyKeys(data, keys)
  if (code === 100000) answered.set(name, keys)
  return [...found, ...guiltyValues(text)]
}

/** Every column that is named like a secret, whichever room it belongs to; the operation log's chain is shown on purpose. */
const keepStored = async () => {
  const { rows } = await sql<{ place: string; table: string; column: string }>`select table_name as table,
    column_name as column, table_name || '.' || column_name as place from information_schema.columns
    where table_schema = 'public' and column_name ~ '(hash|secret|password|token|sealed)' and table_name !~ '^op_log'
      and data_type in ('text', 'bytea')`.execute(world.db)
  for (const { place, table, column } of rows) {
    const values = await sql<{ value: string | Buffer }>`select ${sql.ref(column)} as value from ${sql.table(table)}
      where ${sql.ref(column)} is not null`.execute(world.db)
    for (const { value } of values.rows) keep(place, value)
  }
}

const signedIn = (names: readonly string[]): Promise<Reader[]> =>
  Promise.all(
    names.map(async (name) => {
      const person = await world.as(name)
      const { permissions } = (await person.get('/api/v1/oauth/navigation')).data as { permissions: string[] }
      return { name, token: person.token, perms: new Set(permissions) }
    }),
  )

const found = async (word: string, id: number): Promise<Head> => {
  const { db } = world
  const shop = await plant(db, { name: `${word} shop`, type: organisationType.subDepartment, parentId: id })
  const admin = await world.appoint(word, 'admin', id)
  for (const office of otherOffices) await world.appoint(word, office, id)
  const clerk = await world.appoint(`${word} clerk`, 'operator', shop)
  const ids = await furnish(world, { word, id, shop, admin, operator: clerk })
  const planted = await plantSecrets({ world, word, admin: await world.as(`${word}.admin`), ids, keep })
  return { word, ids, planted, people: await signedIn(allOffices.map((office) => `${word}.${office}`)) }
}

/** The root has its administrator already, and rows that belong to the whole installation. */
const foundRoot = async (): Promise<Head> => {
  const { db, root } = world
  for (const office of otherOffices) await world.appoint('root', office, root)
  const label = JSON.stringify({ en: 'Own', 'zh-cn': '自', 'zh-tw': '自' })
  const one = async (query: ReturnType<typeof sql<{ id: number }>>) => (await query.execute(db)).rows[0]?.id as number
  const ids = {
    ...heads[0]?.ids,
    menu: await one(sql`insert into menu (type, name) values (0, ${label}) returning id`),
    dictionaryItem: await one(sql`insert into dictionary_item (dictionary, code, label)
      values ('deviceType', 900, ${label}) returning id`),
    operationLog: await one(sql`select max(id) as id from op_log_now()`),
  }
  return {
    word: heads[0]?.word ?? '',
    planted: heads[0]?.planted ?? {},
    ids: { ...ids, ...(await createRest('platform', await world.as('admin'), 'root', ids)) },
    people: await signedIn(['admin', ...otherOffices.map((office) => `root.${office}`)]),
  }
}

/** Everybody has a second factor; nobody is asked for it again. */
const giveSecondFactors = async () => {
  const { db } = world
  const { seal } = createSeal(world.secrets.sealKey)
  const { rows } = await sql<{ id: number }>`select id from sys_user`.execute(db)
  for (const { id } of rows) {
    const totp = randomBytes(20).toString('base64')
    const code = randomBytes(8).toString('hex')
    keep('second-factor secret', totp)
    keep('recovery code', code)
    const sealed = seal(totp, `sys_user.totp_secret.${id}`)
    await sql`update sys_user set enable_2fa = true, totp_secret = ${sealed} where id = ${id}`.execute(db)
    await sql`insert into recovery_code (user_id, code_hash)
      values (${id}, ${createHash('sha256').update(code).digest('hex')})`.execute(db)
  }
}

beforeAll(async () => {
  world = await startInstallation({ log: pino({ level: 'trace' }, { write: (line: string) => logged.push(line) }) })
  const { db, root, si } = world
  const installation = await world.as('admin')
  for (const name of configSecrets) {
    const key = randomBytes(32).toString('base64url')
    const value = configShape[name as keyof typeof configShape].safeParse(key).success
      ? key
      : `https://sms.example/${key}`
    expect(await installation.put('/api/v1/system/config', { [name]: value })).toMatchObject({ code: 100000 })
    keep('setting declared a secret', key)
  }
  const integrator = await plant(db, { name: 'Quay', type: organisationType.si, parentId: root })
  const enterprise = await plant(db, { name: 'Alder', type: organisationType.enterprise, parentId: si })
  const school = await plant(db, { name: 'Birch', type: organisationType.school, parentId: si })
  heads = [await found('quay', integrator), await found('alder', enterprise), await found('birch', school)]
  heads.push(await foundRoot())
  await giveSecondFactors()
  keep('password', testPassword)
  keep('seal key', world.secrets.sealKey)
  keep('signing key', world.secrets.signingKey)
  keep('private key', world.secrets.passwordKeyPair.privateKeyPem.split('\n')[1] ?? '')
  await keepStored()
})
afterAll(() => world.stop())

const peopleOf = ({ people, ...own }: Head) => people.map((person) => ({ ...person, ...own }))
const everybody = () => heads.flatMap(peopleOf)
/**
 * The administrators of all organisations, and two more people of one, of another one with each call and in turn. All people
 * at each call took minutes and told nothing more, as answers differ by permission.
 */
const askers = <P>(people: readonly (readonly P[])[], call: DeclaredCall): P[] => {
  // By its name and not by its place: a route that is added moves nobody else's turn.
  const nth = Buffer.from(nameOf(call)).reduce((sum, byte) => sum + byte, 0)
  const [, ...others] = people[nth % people.length] ?? []
  const turn = Math.floor(nth / people.length)
  const two = [0, 1].map((more) => others[(turn + more) % others.length] as P)
  return [...people.map(([admin]) => admin as P), ...two]
}

/** Where what fits each field on its own does not fit together. */
const together: Readonly<Record<string, object>> = {
  'POST /api/v1/oauth/menus/create': { type: 0 },
  'GET /api/v1/oauth/savedViews': { resource: 'user' },
  'GET /api/v3/device/basic/history': { startTime: '2026-01-01T00:00:00Z', endTime: '2026-01-02T00:00:00Z' },
  'GET /api/v3/device/basic/ownHistory': {
    name: 'pressure',
    startTime: '2026-01-01T00:00:00Z',
    endTime: '2026-01-02T00:00:00Z',
  },
  'POST /api/v3/device/basic/create': { sn: 'Sample' },
  'POST /api/v3/device/configuration/create': { volumeMusic: 40 },
  'POST /api/v3/device/group/saveFilter': { name: 'Saved', deviceType: 3, filter: {} },
}

/** What it is about is the organisation's own; everything else stays open. */
const inputOf = async (call: DeclaredCall, { word, ids }: Pick<Head, 'word' | 'ids'>) => {
  const given = (name: string, kind: Kind, itself: boolean) => {
    if (call.shape[name]?.safeParse(undefined).success) return undefined
    return (itself ? ids[`spare ${kind}`] : undefined) ?? ids[kind]
  }
  return fill(call, given, {
    ...serialsOf(call, word),
    ...together[nameOf(call)],
    ...('pageSize' in call.shape ? { pageSize: '199' } : {}),
    ...('password' in call.shape ? { password: await world.sealed('Right-horse-9') } : {}),
  })
}

const send = async (call: DeclaredCall, input: Readonly<Record<string, unknown>>, token: string) =>
  world.app.inject({ ...requestOf(call, input), headers: { sessionid: token } })

/** Labels are read with a body: their ids are many. */
const isReading = ({ method, path }: DeclaredCall) => method === 'GET' || path === codeLabels.path

/** The rows a call is made about: the ordinary one, and to read also the one that holds a secret. */
const aboutWhat = (call: DeclaredCall, { ids, planted }: Pick<Head, 'ids' | 'planted'>): Ids[] =>
  isReading(call) && call.slots.some(({ kind }) => kind in planted) ? [ids, { ...ids, ...planted }] : [ids]

const walk = async (calls: readonly DeclaredCall[]) => {
  const letOut = new Set<string>()
  for (const call of calls)
    for (const { name, token, perms, ...own } of askers(heads.map(peopleOf), call))
      for (const ids of aboutWhat(call, own)) {
        const response = await send(call, await inputOf(call, { ...own, ids }), token)
        const isJson = String(response.headers['content-type']).includes('json')
        if (isJson)
          for (const fault of undocumented(call.method, call.path, response.json())) unlikeDocuments.add(fault)
        if (!isJson && response.statusCode === 200) answered.set(nameOf(call), new Set(['(a file)']))
        for (const what of guilt(nameOf(call), response.body, isJson))
          if (!isExcepted(nameOf(call), what, perms)) letOut.add(`${nameOf(call)} as ${name}: ${what}`)
      }
  return [...letOut]
}

const reading = [...declaredCalls, ...openCalls].filter(isReading)
const verbs = declaredCalls.filter(({ method, resource }) => method !== 'GET' && resource)
const isExport = ({ path }: DeclaredCall) => path.endsWith('/export')

describe('no secret is let out', () => {
  it('that is not known here: every kind of them is in the installation', () => {
    expect([...new Set(secrets.values())].sort()).toEqual(
      expect.arrayContaining([
        'password',
        'private key',
        'recovery code',
        'recovery_code.code_hash',
        'seal key',
        'second-factor secret',
        'session.token_hash',
        'setting declared a secret',
        'signing key',
        'activation code',
        'activation code that was tried',
        'exit password of a kiosk',
        'key of an activation',
        'password of a device',
        'password of a new account',
        'password of an import',
        'password sent to a device',
        'code of a switch of servers',
        'key of a network in a test model',
        'password of a test model',
        'password of a wireless network',
        'token in JSON in a message',
        'sys_user.password_hash',
        'sys_user.totp_secret',
      ]),
    )
  })

  it('by anything that reads, whoever asks', async () => {
    expect(await walk(reading)).toEqual([])
  })

  it('by an exported file, whoever made it', async () => {
    const files: (Reader & { call: string; id: number })[] = []
    for (const call of verbs.filter(isExport)) {
      // Nobody asks for so many at once.
      await sql`delete from rate_limit`.execute(world.db)
      // Each file is made and read in a thread of its own: one who may everything, and two others.
      const makers = askers(
        heads.map(({ people }) => people),
        call,
      ).slice(-3)
      for (const maker of makers) {
        const response = await send(call, {}, maker.token)
        guilt(nameOf(call), response.body, true)
        const { code, data } = response.json<{ code: number; data: { fileId: number } }>()
        if (code === 100000) files.push({ ...maker, call: nameOf(call), id: data.fileId })
      }
    }
    expect(files.length).toBeGreaterThan(verbs.filter(isExport).length)
    const unfinished = sql`select from export_file where state = 'inProgress'`
    await expect.poll(async () => (await unfinished.execute(world.db)).rows, { timeout: 240_000 }).toEqual([])
    const letOut: string[] = []
    for (const { call, name, token, perms, id } of files) {
      const url = `/api/v1/exportFileLogs/download?id=${id}`
      const { rawPayload, statusCode } = await world.app.inject({ url, headers: { sessionid: token } })
      // Whoever may make a file but not fetch it has read nothing.
      if (statusCode !== 200) continue
      answered.set('GET /api/v1/exportFileLogs/download', new Set(['(a file)']))
      const { rows } = await readSheet(rawPayload)
      expect(rows.length).toBeGreaterThan(1)
      const found = guiltyValues(JSON.stringify(rows)).filter((what) => !isExcepted(call, what, perms))
      letOut.push(...found.map((what) => `${call} as ${name}: ${what}`))
    }
    expect(letOut).toEqual([])
  })

  it('by any verb of any resource, whoever calls it', async () => {
    const last = (call: DeclaredCall) => Number(call.method === 'DELETE')
    expect(await walk(verbs.filter((call) => !isExport(call)).toSorted((a, b) => last(a) - last(b)))).toEqual([])
  })

  it('by a line of any log, a notification or a file name', async () => {
    const { rows } = await sql<{ place: string; text: string }>`
      select 'operation log' as place, row_to_json(l)::text as text from op_log_now() l
      union all select 'notification', row_to_json(n)::text from notification n
      union all select 'file', row_to_json(f)::text from export_file f`.execute(world.db)
    expect(rows.length).toBeGreaterThan(100)
    const letOut = [...rows, ...logged.map((text) => ({ place: 'server log', text }))].flatMap(({ place, text }) =>
      guiltyValues(text)
        // The files' own checksums are no secret's.
        .filter((what) => !what.startsWith('export_file.'))
        .map((what) => `${place}: ${what} in ${text.slice(0, 200)}`),
    )
    expect(letOut).toEqual([])
  })

  it('except where that is declared: somebody with the permission read each of them', () => {
    expect(exceptions.flatMap(({ calls }) => calls).filter((call) => !answered.has(call))).toEqual([])
    const held = everybody().filter(({ perms }) => exceptions.every(({ perm }) => perms.has(perm) || perms.has('all')))
    expect(held.length).toBeGreaterThan(0)
    expect(held.filter(({ name }) => /auditor|safety/.test(name))).toEqual([])
  })

  it('unnoticed: somebody was answered by each of them', () => {
    // A file goes in, or a picture or a file of devices comes out: import.pg.test.ts, personal.pg.test.ts, system.pg.test.ts,
    // resource.pg.test.ts, poster.pg.test.ts, package.pg.test.ts
    const withFile = ({ upload, slots, path }: DeclaredCall) =>
      upload ||
      slots.some(({ kind }) => kind === 'import') ||
      path.endsWith('/:key') ||
      path.startsWith('/device/v1/download/') ||
      /^\/api\/v3\/device\/apk\/\w+\/(file\/|download$)/.test(path) ||
      path === '/api/v3/device/sliders/create'
    const silent = [...reading, ...verbs]
      .filter((call) => !withFile(call))
      .map(nameOf)
      .filter((name) => !answered.has(name))
    // Answered only in a state that passes: over-the-wire.pg.test.ts, command.pg.test.ts, forgotten.pg.test.ts,
    // device.pg.test.ts, transfer.pg.test.ts, two-factor.pg.test.ts, release.pg.test.ts, statistics.pg.test.ts,
    // resource.release.pg.test.ts; or only with a file whose name says
    // what it is: firmware.pg.test.ts, package.pg.test.ts, app.release.pg.test.ts; template.pg.test.ts
    const inPassing =
      /\/((release|histories)\/(pause|resume|stop|skipWave|cancelDevices|retryFailed|retryDevices|rollBack)|rcm\/release\/(create|cancel|retry)|result\/(cancel|retry)|(ota|apk)\/packages\/(create|release|submit|takeDown)|configuration\/copy|audit\/(review|pass|reject|takeDown)|apk\/(secret\/(create|update)|store\/addToMine)|testModel\/run|requireTwoFactor|task\/(cancel|giveUp)|group\/setFilter|transferBatch)$/
    expect(silent.filter((name) => !inPassing.test(name))).toEqual([])
  })

  it('under a new name: these are all the keys there are; look at new ones, then `npm run test:pg -- secrets -u`', async () => {
    const lines = [...answered].map(([name, keys]) => `${name}: ${[...keys].sort().join(' ')}\n`)
    await expect(lines.sort().join('')).toMatchFileSnapshot('./answered-keys.txt')
  })
})

it('answers everybody as the API page says', () => {
  expect([...unlikeDocuments]).toEqual([])
})
