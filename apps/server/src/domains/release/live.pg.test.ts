import { liveTicket } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { addRole, addUser } from '../../test/app.ts'
import { addDevices } from '../../test/devices.ts'
import { startWorld, type World } from '../../test/world.ts'
import { addText, createActs, releaseOf } from './release.fixture.ts'

let world: World
let host: string
const opened: WebSocket[] = []

beforeAll(async () => {
  world = await startWorld({ roles: ['api'] })
  host = new URL(await world.app.listen({ port: 0, host: '127.0.0.1' })).host
})
afterAll(() => world.stop())
afterEach(() => {
  for (const socket of opened.splice(0)) socket.terminate()
})

/** Somebody who watches a release, and how often they heard of it. */
const watch = async (token: string, id: number) => {
  const { data } = await world.call(liveTicket, {}, { token })
  const socket = new WebSocket(`ws://${host}/api/live?ticket=${data.ticket}`, { headers: { origin: `http://${host}` } })
  opened.push(socket)
  const heard: unknown[] = []
  socket.on('message', (text) => heard.push(JSON.parse(String(text))))
  await new Promise((resolve) => socket.once('open', resolve))
  const say = (wanted: unknown) => socket.send(JSON.stringify({ type: 'watchRelease', id: wanted }))
  say(id)
  return { heard, say }
}
const within = { timeout: 30_000 }

it('tells whoever watches a release that it has changed, as long as they may read it, and nobody else', async () => {
  await addDevices(world.db, ['LIVE-1'], { departmentId: world.a.shop })
  const person = await world.as('alder.admin')
  const acts = createActs(person)
  const id = await acts.begin(releaseOf(await addText(person, world.a.id), ['LIVE-1'], { mode: 'offline' }))
  const roleId = await addRole(world.db, { departmentId: world.a.id, permissions: ['release:list:detail'] })
  await addUser(world.db, { username: 'reader', departmentId: world.a.id, roleIds: [roleId] })
  const mine = await watch(person.token, id)
  const reader = await watch((await world.signIn('reader')).token, id)
  const stranger = await watch((await world.as('birch.admin')).token, id)
  await expect
    .poll(async () => {
      await sql`select pg_notify('campanile_release', ${String(id)})`.execute(world.db)
      return [mine.heard.length > 0, reader.heard.length > 0]
    }, within)
    .toEqual([true, true])
  expect(mine.heard[0]).toEqual({ type: 'release', id })
  expect(stranger.heard).toEqual([])
  reader.say('everything')
  reader.say(null)
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  const before = [mine.heard.length, reader.heard.length]
  expect((await acts.act('pause', id)).code).toBe(100000)
  await expect.poll(() => mine.heard.length > (before[0] ?? 0), within).toBe(true)
  expect(reader.heard).toHaveLength(before[1] ?? 0)
})
