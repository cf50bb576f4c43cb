import pg from 'pg'
import { describe, expect, it, vi } from 'vitest'
import { walkTwoEnterprises } from './two-enterprises.ts'

/** As if no query asked for departments any more: what is left between the enterprises is the database's own fence. */
vi.mock('../kit/actor.ts', async (original) => {
  const real = await original<typeof import('../kit/actor.ts')>()
  const everywhere: typeof real.scopeFor = (actor, perm) => {
    const scope = real.scopeFor(actor, perm)
    return scope && { ...scope, everything: true }
  }
  return { ...real, scopeFor: everywhere }
})

const walked = walkTwoEnterprises({ fenceAlone: true })

describe('the fence alone', () => {
  it('is what kept them apart here: without it each sees the other', async () => {
    const { world, admin } = walked()
    const list = async () => JSON.stringify((await admin.get('/api/v3/device/basic/list')).data)
    expect(await list()).not.toContain('birch')
    const client = new pg.Client(world.database.owner)
    await client.connect()
    await client.query(
      'alter table device disable row level security; alter table device_state disable row level security',
    )
    const open = await list()
    await client.query(
      'alter table device enable row level security; alter table device_state enable row level security',
    )
    await client.end()
    expect(open).toContain('birch')
  })
})
