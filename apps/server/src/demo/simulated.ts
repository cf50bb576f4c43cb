import { createHash, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { activationStates, success } from '@campanile/contract'
import { sql } from 'kysely'
import { recordOperation } from '../platform/audit.ts'
import type { Config } from '../platform/config.ts'
import type { Db } from '../platform/db.ts'
import { OperatorError } from '../platform/operator-error.ts'

/** Marks what is ours to give a new password to. */
const batch = 'simulated'
const types = 16
const most = 50_000
const snOf = (at: number) => `SIM-${String(at + 1).padStart(5, '0')}`

/**
 * Registers devices at the top of the tree where they are missing, and gives each a new password: nothing has to be kept
 * between two runs. A serial number that somebody else has registered is not touched.
 */
const register = async (db: Db, count: number) => {
  const devices = Array.from({ length: count }, (_, at) => ({
    sn: snOf(at),
    type: 1 + (at % types),
    password: randomBytes(32).toString('base64url'),
  }))
  const hashes = devices.map(({ password }) => createHash('sha256').update(password).digest('base64'))
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ sn: string }>`
      insert into device as t (sn, department_id, device_type, batch_number, credential_hash, activation_status)
      select u.sn, (select id from department order by path limit 1), u.type, ${batch}, decode(u.hash, 'base64'), ${activationStates.bound}
      from unnest(${devices.map(({ sn }) => sn)}::text[], ${devices.map(({ type }) => type)}::int[], ${hashes}::text[])
        as u(sn, type, hash)
      on conflict (sn) do update set credential_hash = excluded.credential_hash,
        credential_version = t.credential_version + 1, activation_status = excluded.activation_status
      where t.batch_number = ${batch}
      returning t.sn`.execute(tx)
    const ours = new Set(rows.map(({ sn }) => sn))
    const foreign = devices.find(({ sn }) => !ours.has(sn))
    if (foreign)
      throw new OperatorError(
        `${foreign.sn} is registered and was not made for simulation, so it is left alone: rename or remove it, or name other devices with --credentials.`,
      )
    await recordOperation(tx as Db, {
      actor: null,
      claimedName: 'simulate',
      clientIp: '',
      host: '',
      userAgent: '',
      route: 'simulated-devices',
      module: 'device',
      type: 'create',
      description: `${count}: ${snOf(0)}`,
      result: 'success',
      code: success,
    })
  })
  return devices
}

const hostOf = ({ host }: Config) => (host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host)
const inUrl = (host: string) => (host.includes(':') ? `[${host}]` : host)

/** What `npm run simulate` lets live when it is given no devices of its own: a file for the simulator, for its owner only. */
export const makeSimulated = async (db: Db, config: Config, count: number): Promise<string> => {
  if (!Number.isInteger(count) || count < 1 || count > most)
    throw new OperatorError(`Name how many devices are to live: a number from 1 to ${most}.`)
  const host = inUrl(hostOf(config))
  const mqttUrl = config.brokerUrl ?? `${config.mqttTls ? 'mqtts' : 'mqtt'}://${host}:${config.mqttPort}`
  const serverUrl = `http://${host}:${config.port}`
  const lines = (await register(db, count)).map((each) => JSON.stringify({ ...each, mqttUrl, serverUrl }))
  const file = join(config.dataDir, 'simulated.jsonl')
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o600 })
  return file
}
