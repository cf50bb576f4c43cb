import { releaseDeviceStates } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { type Person, startWorld, type World } from '../../test/world.ts'
import {
  addText,
  createActs,
  type ReleaseInput,
  releaseOf,
  type Standing,
  standDevice,
  type Temper,
} from './release.fixture.ts'

/** A world in which alder's administrator releases a text to devices that answer as they are minded. */
export const stageReleases = () => {
  let fleet: Standing[] = []
  let made = 0
  const stage = {
    world: undefined as unknown as World,
    person: undefined as unknown as Person,
    acts: undefined as unknown as ReturnType<typeof createActs>,
    /** The text that is released, another one in each test. */
    text: 0,
  }
  const acts = {
    /** One after the other, so that waves take them in this order. */
    stand: async (tempers: readonly Temper[], departmentId = stage.world.a.shop) => {
      const devices: Standing[] = []
      for (const temper of tempers)
        devices.push(await standDevice(stage.world, `R-${String(++made).padStart(4, '0')}`, departmentId, temper))
      fleet.push(...devices)
      return devices
    },
    order: (devices: readonly Standing[], given: Partial<ReleaseInput> = {}) =>
      releaseOf(stage.text, sns(devices), { ...given, options: { retries: 0, ...given.options } }),
    dueNow: (id: number) =>
      sql`update release_device set due_time = now() where release_id = ${id} and due_time is not null`.execute(
        stage.world.db,
      ),

    /** Figures of a release are those of its devices, whichever way they are counted. */
    addsUp: async (id: number) => {
      const { row, waves } = await stage.acts.detail(id)
      const { rows } = await sql<{ state: string; n: number }>`select state, count(*)::int as n from release_device
        where release_id = ${id} group by 1`.execute(stage.world.db)
      const counted = Object.fromEntries(rows.map(({ state, n }) => [state, n]))
      for (const state of releaseDeviceStates) expect(row[state], state).toBe(counted[state] ?? 0)
      expect(rows.reduce((sum, { n }) => sum + n, 0)).toBe(row.total)
      expect(waves.reduce((sum, { size }) => sum + size, 0)).toBe(row.total)
    },
  }
  beforeAll(async () => {
    stage.world = await startWorld({ roles: ['api', 'gateway', 'worker'] })
    stage.person = await stage.world.as('alder.admin')
    stage.acts = createActs(stage.person)
  })
  afterAll(() => stage.world.stop())
  beforeEach(async () => {
    stage.text = await addText(stage.person, stage.world.a.id)
  })
  afterEach(() => {
    for (const device of fleet) device.leave()
    fleet = []
  })
  return Object.assign(stage, acts)
}

export const sns = (devices: readonly Standing[]) => devices.map(({ sn }) => sn)
export const ended = ({ row }: { row: { state: string } }) => row.state === 'ended'
export const paused = ({ row }: { row: { state: string } }) => row.state === 'paused'
