import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startOutbox } from './outbox.fixture.ts'
import { commandChannel } from './sender.ts'

const outbox = await startOutbox()
const { world, add, give, handed, sent, sender } = outbox
const owner = new pg.Client(world.database.owner)

beforeAll(() => owner.connect())
afterAll(async () => {
  await owner.end()
  await outbox.stop()
})
beforeEach(async () => {
  await outbox.clear()
  await add(['NEW', 'DUE'], { online: true })
  // One that waits for its hour.
  await give('report', { sns: ['DUE'] })
  await sent(1)
  handed.length = 0
  await sql`update command set state = 'queued', due = now() + interval '1 day'`.execute(world.db)
  // Half a minute from now the sweep would find everything.
  await sender.stop()
  sender.start()
})

/** As another server would write it down: one that is new, and one whose hour has come. */
const whileAway = () =>
  owner.query(`with made as (insert into command (task_id, device_id, sn, department_id, command, expires)
      select k.id, d.id, d.sn, d.department_id, k.command, now() + interval '1 hour'
      from device_task k, device d where d.sn = 'NEW' returning id)
    update command set due = now() where sn = 'DUE'`)
/** Well before the next sweep, which would find them in any case. */
const arriveSoon = () =>
  expect.poll(() => handed.map(({ sn }) => sn).sort(), { timeout: 15_000 }).toEqual(['DUE', 'NEW'])

describe('what was ordered, or came due, while the database was away', () => {
  afterEach(() => owner.query('alter table if exists device_state_away rename to device_state'))

  it('is sent within seconds after it is back, by a sender whose round failed', async () => {
    // A name that no query finds makes each round fail.
    await owner.query('alter table device_state rename to device_state_away')
    await whileAway()
    await owner.query(`select pg_notify('${commandChannel}', '')`)
    // Time for some rounds to fail; were none to, the second test is what remains.
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(handed).toEqual([])
    await owner.query('alter table device_state_away rename to device_state')
    await arriveSoon()
  })

  it('is sent within seconds by a sender that was cut off and heard nothing of it', async () => {
    await owner.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'listen %'`)
    await whileAway()
    await arriveSoon()
  })
})
