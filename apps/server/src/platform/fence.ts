import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { createPlanNames, keepingPlans } from './planned-once.ts'

/** Whom the database works for: it shows no row outside what they reach (migration 0013, decision 0017). */
export interface Fence {
  /** Roots of all the department subtrees any of their roles reaches, as ltree paths. */
  readonly paths: readonly string[]
  /** The department they belong to. */
  readonly home: number
  readonly person: number
}

const current = new AsyncLocalStorage<Fence | undefined>()

/** Everything that is asked of the database inside is asked on behalf of them; `undefined` is the server itself. */
export const fenced = <T>(fence: Fence | undefined, work: () => T): T => current.run(fence, work)

const holding = new AsyncLocalStorage<true>()

/**
 * Work that holds one connection and waits for a second keeps everybody waiting once a few do it at the same time: each
 * has what the others wait for. What is inside asks on the connection it was given.
 */
export const holdingOne = <T>(work: () => T): T => holding.run(true, work)

const settingsOf = (fence: Fence | undefined): [role: string, paths: string, home: string, person: string] =>
  fence ? ['campanile_fenced', fence.paths.join(','), String(fence.home), String(fence.person)] : ['none', '', '', '']

const statement = `select set_config('role', $1, false), set_config('campanile.reach', $2, false),
  set_config('campanile.home', $3, false), set_config('campanile.person', $4, false)`

/**
 * A pool whose connections are turned to whoever asks for one, before their first statement. `onSecond` is told of whoever
 * holds one already.
 */
export const fencedPool = (pool: pg.Pool, onSecond?: () => void) => {
  // A new connection stands as the server logged in.
  const standing = new WeakMap<pg.PoolClient, string>()
  const fresh = settingsOf(undefined).join('\n')
  const nameOf = createPlanNames()
  return {
    connect: async () => {
      if (holding.getStore()) onSecond?.()
      const client = await pool.connect()
      const settings = settingsOf(current.getStore())
      const wanted = settings.join('\n')
      const [role] = settings
      if ((standing.get(client) ?? fresh) === wanted) return keepingPlans(client, nameOf, role)
      try {
        await client.query(statement, settings)
        standing.set(client, wanted)
        return keepingPlans(client, nameOf, role)
      } catch (error) {
        // How it stands now nobody knows.
        client.release(true)
        throw error
      }
    },
    end: () => pool.end(),
  }
}
