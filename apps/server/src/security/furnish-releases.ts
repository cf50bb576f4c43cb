import { sql } from 'kysely'
import type { Enterprise, World } from '../test/world.ts'

/**
 * A text and a release of it that has ended (and one of a file), with all that hangs on one. Its device has gone since, so that nobody can try
 * it again: nothing drives it while it is looked at.
 */
export const furnishReleases = async (
  { db }: Pick<World, 'db'>,
  { word, id, shop, admin: adminId }: Pick<Enterprise, 'word' | 'id' | 'shop' | 'admin'>,
  device: number,
) => {
  const one = async (query: ReturnType<typeof sql<{ id: number }>>) => (await query.execute(db)).rows[0]?.id as number
  const promotion = await one(sql`insert into promotion (title, text, valid_until, department_id, creator_id)
    values (${`${word} text`}, ${word}, '2999-01-01', ${id}, ${adminId}) returning id`)
  const release =
    await one(sql`insert into release (kind, item_id, item_name, action, department_id, creator_id, mode, options,
      description, state, wave, wave_count, total, failed, end_time)
    values ('promotion', ${promotion}, ${`${word} text`}, 'show', ${id}, ${adminId}, 'offline', '{}', ${word}, 'ended', 1, 1, 1, 1,
      now()) returning id`)
  await sql`insert into release_wave (release_id, wave, percent, size, bake_minutes, begin_time, end_time)
    values (${release}, 1, 100, 1, 0, now(), now())`.execute(db)
  await sql`insert into release_target (release_id, department_id, kind, open)
    values (${release}, ${shop}, 'promotion', false)`.execute(db)
  const releaseDevice =
    await one(sql`insert into release_device (release_id, kind, device_id, sn, department_id, wave, state, reason, detail, attempt,
        told_time, end_time)
      values (${release}, 'promotion', null, ${word}, ${shop}, 1, 'failed', 'unknown', ${word}, 1, now(), now())
      returning id`)
  const releaseStep =
    await one(sql`insert into release_step (release_id, what, device_id, sn, wave, reason, detail, creator_id,
      department_id)
    values (${release}, 'failed', ${device}, ${word}, 1, 'unknown', ${word}, ${adminId}, ${shop}) returning id`)
  const brought =
    await one(sql`insert into release (kind, item_id, item_name, action, department_id, creator_id, mode, options, given,
      description, state, wave, wave_count, total, failed, end_time)
    values ('resource', ${release}, ${`${word} file`}, 'put', ${id}, ${adminId}, 'offline', '{}', '{"path":"/"}', ${word}, 'ended', 1, 1, 1,
      1, now()) returning id`)
  const resourceReleased =
    await one(sql`insert into release_device (release_id, kind, device_id, sn, department_id, wave, state, reason, detail, attempt,
        told_time, end_time)
      values (${brought}, 'resource', null, ${word}, ${shop}, 1, 'failed', 'unknown', ${word}, 1, now(), now())
      returning id`)
  return {
    promotion,
    releaseItem: promotion,
    release,
    releaseDevice,
    releaseStep,
    resourceReleased,
    // The thing that was released: any number that is this enterprise's own.
    resourceStatistic: release,
  }
}

/** A release of something of a kind that has ended, with the one device it was for; it has gone since as well. */
export const furnishRelease = async (
  { db }: Pick<World, 'db'>,
  { word, id, shop, admin }: Pick<Enterprise, 'word' | 'id' | 'shop' | 'admin'>,
  { kind, item, name, action }: { kind: string; item: number; name: string; action: string },
) => {
  const one = async (query: ReturnType<typeof sql<{ id: number }>>) => (await query.execute(db)).rows[0]?.id as number
  const release = await one(sql`insert into release (kind, item_id, item_name, action, department_id, creator_id, mode,
      options, state, wave, wave_count, total, failed, end_time)
    values (${kind}, ${item}, ${name}, ${action}, ${id}, ${admin}, 'offline', '{}', 'ended', 1, 1, 1, 1, now())
    returning id`)
  const device =
    await one(sql`insert into release_device (release_id, kind, sn, department_id, wave, state, reason, detail, attempt,
      told_time, end_time)
    values (${release}, ${kind}, ${word}, ${shop}, 1, 'failed', 'unknown', ${word}, 1, now(), now()) returning id`)
  return { release, device }
}
