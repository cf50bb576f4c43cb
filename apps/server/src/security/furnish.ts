import { randomBytes } from 'node:crypto'
import { fileFields, type Resource, resources, type ScopeKind, user } from '@campanile/contract'
import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import { pngOf } from '../test/png.ts'
import { uploadWhole } from '../test/uploads.ts'
import type { Enterprise, Person, World } from '../test/world.ts'
import { declaredCalls, fill, type Ids, type Kind } from './declared-calls.ts'
import { furnishDevices } from './furnish-devices.ts'
import { furnishFirmware } from './furnish-firmware.ts'
import { furnishPackages } from './furnish-packages.ts'
import { furnishRecords } from './furnish-records.ts'
import { furnishReleases } from './furnish-releases.ts'
import { furnishShown } from './furnish-shown.ts'

/** One row of everything that can belong to somebody, all named after the organisation. */
export const furnish = async (
  world: Pick<World, 'db' | 'as'>,
  { word, id, shop, admin: adminId, operator }: Pick<Enterprise, 'word' | 'id' | 'shop' | 'admin' | 'operator'>,
): Promise<Ids> => {
  const { db } = world
  const one = async (query: ReturnType<typeof sql<{ id: number }>>) => (await query.execute(db)).rows[0]?.id as number
  const file = await one(sql`insert into export_file (name, type, state, department_id, creator_id, stored_as)
    values (${`${word}.xlsx`}, 'export', 'complete', ${id}, ${adminId}, ${randomBytes(16).toString('hex')}) returning id`)
  const run = await one(sql`insert into import_run (resource, user_id, department_id, headers, total, file_id)
    values ('user', ${adminId}, ${id}, ${[word]}, 1, ${file}) returning id`)
  const role = await one(sql`insert into sys_role (name, department_id, creator_id)
    values (${`${word} role`}, ${id}, ${adminId}) returning id`)
  await sql`insert into role_menu select ${role}, id from menu where perms = 'org:list:list'`.execute(db)
  await sql`insert into role_department values (${role}, ${id})`.execute(db)
  const view = await one(sql`insert into saved_view (user_id, department_id, resource, name, state, shared)
    values (${adminId}, ${id}, 'user', ${`${word} view`}, '{"search":""}', true) returning id`)
  const favourite = await one(sql`insert into favourite (user_id, page, title)
    values (${adminId}, '/device/list', ${word}) returning id`)
  const notification = await one(sql`insert into notification (user_id, type, title, data)
    values (${adminId}, 'export', ${word}, '{}') returning id`)
  await sql`insert into job_recurrence (kind, key, payload, at_time, department_id, next_run)
    values ('furnished', ${word}, '{}', '03:30', ${id}, 'infinity')`.execute(db)
  const person = await world.as(`${word}.admin`)
  const empty = await person.post('/api/v1/oauth/depts/create', { name: `${word} logged`, type: 0, parentId: id })
  const logged = await one(sql`select max(id) as id from op_log_now() where department_id = ${id}`)
  const photo = await sendFiles(person, user)
  await sql`update sys_user set photo = ${photo['user.photo']} where id = ${operator}`.execute(db)
  const devices = await furnishDevices(world, { word, id, shop, admin: adminId })
  const ids = {
    ...photo,
    organisation: id,
    'spare organisation': empty.data.id as number,
    user: operator,
    role,
    import: run,
    upload: (await uploadWhole(person, Buffer.from(`${word} sent`), `${word}.bin`)).id,
    savedView: view,
    favourite,
    notification,
    operationLog: logged,
    ...(await furnishPackages(db, { word, id, shop, admin: adminId })),
    ...devices,
    ...(await furnishFirmware(world, person, { word, id, shop, admin: adminId })),
    ...(await furnishReleases(world, { word, id, shop, admin: adminId }, devices.device)),
    ...(await furnishShown(world, person, { word, id, shop, admin: adminId }, devices.device)),
  }
  const records = await furnishRecords(db, { word, shop }, { ...ids, exportFile: file })
  const rest = await createRest('organisation', person, word, { ...ids, ...records })
  // A file that lies on the disk, so that its download would succeed.
  const exported = (await person.post('/api/v1/announcement/export')).data.fileId as number
  const state = sql<{ state: string }>`select state from export_file where id = ${exported}`
  await vi.waitFor(async () => expect((await state.execute(db)).rows[0]?.state).toBe('complete'), 60_000)
  return { ...ids, ...records, ...rest, exportFile: exported }
}

/** A file for each field of a resource that takes one, by the kind a call asks for it with. */
const sendFiles = async (person: Person, resource: Resource): Promise<Ids> => {
  const sent: Record<string, number> = {}
  for (const [name, { writable, accepts = [] }] of fileFields(resource)) {
    if (writable === 'never') continue
    const content = accepts.includes('png') ? pngOf(1, 1) : Buffer.from(accepts.includes('pdf') ? '%PDF-1.7' : 'Sample')
    const answer = await person.upload(`${resource.wire.path}/upload/${name}?name=Sample.png`, content)
    expect(answer.code, `a file for ${resource.name}.${name} is not taken (${answer.message})`).toBe(100000)
    sent[`${resource.name}.${name}`] = answer.data.id as number
  }
  return sent
}

/** An upload for a resource that is made of one; whoever makes the row takes it. */
const sendUpload = async (person: Person, { name, fields }: Resource, word: string): Promise<Ids> => {
  const purpose = Object.values(fields).find(({ kind }) => kind === 'upload')?.purpose
  if (purpose === undefined) return {}
  return { upload: (await uploadWhole(person, Buffer.from(`${word} ${name}`), `${word}.bin`, purpose)).id }
}

/** Rooms that need no line here: one row each, made the way people make them. */
export const createRest = async (of: ScopeKind, person: Person, word: string, ids: Ids): Promise<Ids> => {
  const made: Record<string, number> = {}
  for (const resource of resources) {
    const { name, scope, perms, wire, identity } = resource
    const call = declaredCalls.find(({ path }) => path === `${wire.path}/create`)
    if (!call || !perms.create || scope !== of || name in ids) continue
    const sent = await sendFiles(person, resource)
    Object.assign(made, sent)
    const taken = await sendUpload(person, resource, word)
    const needed = (asked: string, kind: Kind) =>
      sent[kind] ?? taken[kind] ?? (call.shape[asked]?.safeParse(undefined).success ? undefined : ids[kind])
    const called = `${word} ${name}`
    const fits = call.shape[identity]?.safeParse(called).success
    const answer = await person.post(call.path, fill(call, needed, fits ? { [identity]: called } : {}))
    const hint = `the first ${name} is not made (${answer.message}): has it its table, npm run table -- ${name}?`
    expect(answer.code, hint).toBe(100000)
    made[name] = answer.data.id as number
  }
  return made
}
