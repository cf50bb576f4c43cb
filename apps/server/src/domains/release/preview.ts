import { releasePreviewed } from '@campanile/contract'
import type { Call } from '../../kit/call.ts'
import { inWords } from '../command/index.ts'
import type { Known } from '../device/index.ts'
import { beginTimes, type Order, type Ordered, type Orders, wavesOf } from './order.ts'
import { findModels } from './release.store.ts'

/** What a device takes of its own before and after it has fetched what it was told to. */
const ownMinutes = 2
const bytesPerSecond = 1024 * 1024

/** The devices of each name, the most first. */
const tally = (names: readonly string[]) => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts]
    .map(([name, devices]) => ({ name, devices }))
    .sort((a, b) => b.devices - a.devices || a.name.localeCompare(b.name))
    .slice(0, releasePreviewed)
}

const expectedMinutes = ({ item, mode, way }: Order, bakes: readonly number[]): number | null => {
  if (mode === 'offline' || way.options.maintenance) return null
  const fetching = (item.bytes ?? 0) / (way.options.bytesPerSecond ?? bytesPerSecond) / 60
  // The last wave is not waited for.
  const baking = bakes.slice(0, -1).reduce((all, each) => all + each, 0)
  return Math.ceil(bakes.length * (ownMinutes + fetching) + baking)
}

/** Who would be hit, before anybody is told. */
export const createPreview =
  (orders: Orders) =>
  async ({ db, actor, scope, input, caller }: Call<Ordered & { named?: number[] | undefined }>) => {
    const order = await orders.read(db, actor, input)
    const { item, way, rules } = order
    const { devices, unknown } = await orders.devicesOf(db, order, input)
    const out = await orders.refusals(db, order, devices, unknown)
    const taking: Known[] = devices.filter(({ sn }) => !out.has(sn))
    const times = await beginTimes(db, order, input, taking, scope.departmentId)
    const waves = wavesOf(way, taking.length)
    const models = await findModels(
      db,
      taking.map(({ id }) => id),
    )
    return {
      item: { name: item.name, version: item.version, bytes: item.bytes },
      total: devices.length + unknown.length,
      receiving: taking.length,
      online: taking.filter(({ online }) => online).length,
      models: tally(models),
      organisations: tally(taking.map(({ departmentName }) => departmentName)),
      refused: inWords([...out.values()], caller.language, input.named),
      current: [...out.values()].filter(({ code }) => code === rules.currentCode).length,
      bytes: item.bytes === null ? null : item.bytes * taking.length,
      minutes: expectedMinutes(
        order,
        waves.map(({ bakeMinutes }) => bakeMinutes),
      ),
      waves: waves.map(({ size, bakeMinutes }) => ({ devices: size, bakeMinutes })),
      beginTime: [...times.values()].sort()[0] ?? null,
      first: taking
        .slice(0, releasePreviewed)
        .map(({ sn, departmentName, online }) => ({ sn, departmentName, online })),
      options: way.options,
    }
  }
