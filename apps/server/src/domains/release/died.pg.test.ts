import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../../test/mqtt.ts'
import { type Person, startWorld, type World } from '../../test/world.ts'
import { addText, createActs, failing, obedient, releaseOf, type Standing, standDevice } from './release.fixture.ts'

/*
 * Whatever a release does is one transaction with its step in it. So a server that dies in the middle is, to everybody else, a
 * connection that ends there before it has committed: a trigger ends it at a step of each kind, once.
 */
const points = [
  'created',
  'begun',
  'waveBegun',
  'told',
  'succeeded',
  'waveEnded',
  'baking',
  'pausedByItself',
  'paused',
  'resumed',
  'stopped',
  'ended',
] as const
type Point = (typeof points)[number]

let world: World
let owner: pg.Client
let person: Person
let acts: ReturnType<typeof createActs>
beforeAll(async () => {
  world = await startWorld({ roles: ['api', 'gateway', 'worker'] })
  person = await world.as('alder.admin')
  acts = createActs(person)
  owner = new pg.Client(world.database.owner)
  await owner.connect()
  for (const point of points) await owner.query(`create sequence died_${point.toLowerCase()}`)
  await owner.query(`
    create function die() returns trigger language plpgsql security definer as $$
    begin
      if (select item_name = 'dies at ' || new.what from release where id = new.release_id)
        and nextval(lower('died_' || new.what)) = 1 then
        perform pg_terminate_backend(pg_backend_pid());
      end if;
      return new;
    end $$;
    create trigger die before insert on release_step for each row execute function die()`)
})
/** An engine that was cut off looks again after ten seconds; nobody waits for that here. */
const hurry = setInterval(() => {
  owner?.query(`update release set look_time = now() where state <> 'ended'`).catch(() => undefined)
}, 500)
afterAll(async () => {
  clearInterval(hurry)
  await owner.end()
  await world.stop()
})

const until = (id: number, holds: Parameters<typeof acts.until>[1]) => eventually(() => acts.detail(id), holds, 120_000)
const ended = ({ row }: { row: { state: string } }) => row.state === 'ended'
const paused = ({ row }: { row: { state: string } }) => row.state === 'paused'
const running = ({ row }: { row: { state: string } }) => row.state === 'running'

/** Two devices in two waves; those that people stop halfway bake long enough for it. */
const follow = async (point: Point, fleet: readonly Standing[]) => {
  const itemId = await addText(person, world.a.id, `dies at ${point}`)
  const byHand = ['baking', 'paused', 'resumed', 'stopped'].includes(point)
  const input = releaseOf(
    itemId,
    fleet.map(({ sn }) => sn),
    {
      options: {
        waves: [{ devices: 1 }, { percent: 100 }],
        bakeMinutes: byHand ? 60 : 0,
        retries: 0,
        failCount: 1,
      },
    },
  )
  /** Whoever was cut off tries again. */
  const twice = async (work: () => Promise<{ code: number }>) => {
    const first = await work()
    return first.code === 100000 ? first : work()
  }
  const made = (await twice(() => acts.create(input))) as Awaited<ReturnType<typeof acts.create>>
  expect(made.code).toBe(100000)
  const id = Number(made.data.id)
  const act = async (what: string) => expect((await twice(() => acts.act(what, id))).code).toBe(100000)
  if (point === 'pausedByItself') {
    await until(id, paused)
    await act('stop')
  } else if (byHand) {
    await until(id, ({ row }) => row.succeeded === 1)
    await act('pause')
    await until(id, paused)
    await act('resume')
    await until(id, running)
    await act(point === 'stopped' ? 'stop' : 'skipWave')
  }
  const { row } = await until(id, ended)
  const { rows: steps } = await sql<{
    step: string
  }>`select what || coalesce(' ' || wave, '') || coalesce(' ' || sn, '') as step
    from release_step where release_id = ${id}`.execute(world.db)
  const { rows: given } = await sql<{ sn: string }>`select c.sn from command c join device_task k on k.id = c.task_id
    where k.origin_kind = 'release' and k.origin_id = ${id}`.execute(world.db)
  return { row, steps: steps.map(({ step }) => step), given: given.map(({ sn }) => sn) }
}

it.concurrent.each(points)('a server that dies at "%s" has lost nothing and does nothing twice', async (point) => {
  const tempers = point === 'pausedByItself' ? [failing('noSpace'), obedient] : [obedient, obedient]
  const fleet: Standing[] = []
  for (const [at, temper] of tempers.entries())
    fleet.push(await standDevice(world, `DIED-${point}-${at}`, world.a.shop, temper))
  const { row, steps, given } = await follow(point, fleet)
  const isCut = point === 'stopped' || point === 'pausedByItself'
  expect(row).toMatchObject({
    total: 2,
    succeeded: point === 'pausedByItself' ? 0 : isCut ? 1 : 2,
    failed: point === 'pausedByItself' ? 1 : 0,
    cancelled: isCut ? 1 : 0,
  })
  const reached = isCut ? 1 : 2
  expect(given.length).toBe(reached)
  expect(new Set(given).size).toBe(reached)
  expect(fleet.map(({ told }) => told.length)).toEqual(isCut ? [1, 0] : [1, 1])
  expect(steps.length).toBe(new Set(steps).size)
  const died = await owner.query(`select last_value::int as times from died_${point.toLowerCase()}`)
  expect(died.rows[0].times).toBeGreaterThan(1)
  for (const device of fleet) device.leave()
})
