import pg from 'pg'
import { OperatorError } from '../operator-error.ts'
import { appRole, fencedRole } from './cluster.ts'
import { scramVerifier } from './scram.ts'

const oldest = 15

/** The operator's own PostgreSQL: checked, and given the role that serves requests. */
export async function useExternal(url: string, appPassword: string) {
  const owner: pg.ClientConfig = { connectionString: url }
  const client = new pg.Client({ ...owner, connectionTimeoutMillis: 10_000 })
  try {
    await client.connect()
  } catch (error) {
    throw new OperatorError(
      `PostgreSQL at ${place(url)} does not let us in: ${reason(error)} Check CAMPANILE_DATABASE_URL.`,
    )
  }
  try {
    refuseOld(await readVersion(client), place(url))
    await refuseOtherAlphabets(client, place(url))
    const app = asApp(client, appPassword)
    await ensureRole(client, app, appPassword)
    return { owner, app }
  } finally {
    await client.end()
  }
}

interface Version {
  /** As in server_version_num: 150004. */
  number: string
  name: string
}

async function readVersion(client: pg.Client): Promise<Version> {
  const { rows } = await client.query<Version>(
    `SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS name`,
  )
  return rows[0] ?? { number: '0', name: 'unknown' }
}

export function refuseOld({ number, name }: Version, where: string): void {
  if (Number(number) < oldest * 10_000) {
    throw new OperatorError(`PostgreSQL at ${where} is ${name}: Campanile needs PostgreSQL ${oldest} or newer.`)
  }
}

/** Elsewhere Chinese names could not be stored, or would be stored and not found: pg_trgm asks LC_CTYPE what a letter is. */
async function refuseOtherAlphabets(client: pg.Client, where: string): Promise<void> {
  const { rows } = await client.query<{ encoding: string; ctype: string }>(
    `SELECT pg_encoding_to_char(encoding) AS encoding, datctype AS ctype FROM pg_database WHERE datname = current_database()`,
  )
  const [{ encoding, ctype } = { encoding: '', ctype: '' }] = rows
  if (encoding !== 'UTF8' || ['C', 'POSIX'].includes(ctype)) {
    throw new OperatorError(
      `The database ${where} has encoding ${encoding} and LC_CTYPE ${ctype}: make it with CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8' LC_CTYPE 'C.UTF-8'.`,
    )
  }
}

/** The same place, another login. */
const asApp = (client: pg.Client, password: string): pg.PoolConfig => ({
  host: client.host,
  port: client.port,
  database: client.database ?? '',
  ssl: client.ssl,
  user: appRole,
  password,
})

async function ensureRole(client: pg.Client, app: pg.PoolConfig, password: string): Promise<void> {
  const verifier = scramVerifier(password)
  const { rows } = await client.query(`SELECT r.rolsuper FROM pg_roles r WHERE r.rolname = $1`, [appRole])
  const create = `CREATE ROLE ${appRole} LOGIN PASSWORD '${verifier}';`
  if (rows.length === 0) {
    try {
      await client.query(create)
    } catch (error) {
      if (!isPrivilege(error)) throw error
      throw new OperatorError(
        `The role ${appRole} is missing and may not be created with this login. Let an administrator run:\n${create}`,
      )
    }
  } else if (rows[0].rolsuper) {
    throw new OperatorError(
      `The role ${appRole} is a superuser, which would undo every limit on it. Let an administrator run:\nALTER ROLE ${appRole} NOSUPERUSER;`,
    )
  }
  await ensureFence(client)
  const database = client.escapeIdentifier(client.database ?? '')
  await client.query(`GRANT CONNECT ON DATABASE ${database} TO ${appRole}`).catch(ignorePrivilege)
  await refuseClosedDoor(app, verifier)
}

/** The role behind the second fence logs in nowhere: the first only turns into it. */
export async function ensureFence(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ there: boolean; member: boolean }>(
    `SELECT r.oid IS NOT NULL AS there, coalesce(pg_has_role($1, r.oid, 'MEMBER'), false) AS member
      FROM (VALUES (1)) one LEFT JOIN pg_roles r ON r.rolname = $2`,
    [appRole, fencedRole],
  )
  const missing = [
    ...(rows[0]?.there ? [] : [`CREATE ROLE ${fencedRole} NOLOGIN;`]),
    ...(rows[0]?.member ? [] : [`GRANT ${fencedRole} TO ${appRole};`]),
  ]
  try {
    for (const statement of missing) await client.query(statement)
  } catch (error) {
    if (!isPrivilege(error)) throw error
    throw new OperatorError(
      `The role ${fencedRole} is missing and may not be made with this login. Let an administrator run:\n${missing.join('\n')}`,
    )
  }
}

/** Another installation may share the role: its password is not ours to change. */
async function refuseClosedDoor(app: pg.PoolConfig, verifier: string): Promise<void> {
  const probe = new pg.Client({ ...app, connectionTimeoutMillis: 10_000 })
  try {
    await probe.connect()
    await probe.end()
  } catch (error) {
    throw new OperatorError(
      `The role ${appRole} cannot log in with the password in the data folder: ${reason(error)} Unless another installation uses this role, let an administrator run:\nALTER ROLE ${appRole} LOGIN PASSWORD '${verifier}';`,
    )
  }
}

const isPrivilege = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '42501'

const ignorePrivilege = (error: unknown): void => {
  if (!isPrivilege(error)) throw error
}

const reason = (error: unknown): string => {
  const text = (error instanceof Error && error.message) || String((error as NodeJS.ErrnoException).code ?? error)
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** Never the password. */
const place = (url: string): string => {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}
