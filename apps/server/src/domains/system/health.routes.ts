import { AppError, commonErrors, fileAnswer } from '@campanile/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import { RawAnswer } from '../../kit/answer.ts'
import type { Call } from '../../kit/call.ts'
import { isLoopback } from '../../platform/config.ts'
import { createMetrics } from '../../platform/metrics.ts'
import type { Services } from '../../services.ts'

const open = { perm: 'public', scope: 'public', module: 'server', logged: null, writes: false, method: 'GET' } as const
const input = z.looseObject({})
const patienceMs = 2_000

const inTime = <T>(work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('too late')), patienceMs)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/**
 * Figures say how busy an installation is and what it is made of, so only the machine itself may read them. A request
 * that a proxy passed on is not the machine's own, even where the proxy was not declared and its word is not taken.
 */
const isOwnMachine = ({ ip, passedOn }: Call['caller']) => isLoopback(ip) && !passedOn

/** Who serves devices, as far as it tells whether this server is ready. */
export interface DeviceServing {
  /** Undefined where this server has no gateway. */
  readonly gatewayHealth: () => { readonly up: boolean } | undefined
  readonly storageTrouble: string | undefined
}

/** For load balancers, supervisors and Prometheus. */
export const mountHealth = ({ kit, app, db, pool, meters }: Services) => {
  const schema = async () => {
    const { rows } = await sql<{ name: string }>`select name from schema_migration order by name`.execute(db)
    return rows.map((row) => row.name).join()
  }
  let known: string | undefined
  let devices: DeviceServing | undefined
  app.addHook('onReady', async () => {
    known = await schema().catch(() => undefined)
  })

  kit.add({ ...open, path: '/healthz', input, answer: z.object({ up: z.boolean() }), run: () => ({ up: true }) })

  /**
   * Ready while the database answers and has space, nobody has brought its schema further than this server knows, and
   * devices are served where that is this server's task.
   */
  kit.add({
    ...open,
    path: '/readyz',
    input,
    answer: z.object({
      database: z.boolean(),
      migrations: z.boolean(),
      disk: z.boolean(),
      gateway: z.boolean().exactOptional(),
    }),
    run: async () => {
      const found = await inTime(schema()).catch(() => undefined)
      known ??= found
      const gateway = devices?.gatewayHealth()?.up
      const state = {
        database: found !== undefined,
        migrations: found !== undefined && found === known,
        disk: devices?.storageTrouble !== 'diskFull',
        ...(gateway !== undefined && { gateway }),
      }
      if (!state.migrations || !state.disk || gateway === false) throw new AppError(commonErrors.serviceTimeout, state)
      return state
    },
  })

  const metrics = createMetrics({
    meters,
    app,
    pool,
    countJobs: async () => {
      const { rows } = await sql<{ kind: string; state: string; count: number }>`
        select kind, state, count(*) as count from job group by kind, state`.execute(db)
      return rows
    },
  })
  kit.add({
    ...open,
    path: '/metrics',
    input,
    answer: fileAnswer,
    run: async ({ caller }) => {
      if (!isOwnMachine(caller)) throw new AppError(commonErrors.resourceNotFound)
      const text = await metrics.text()
      return new RawAnswer((reply) => reply.type(metrics.type).send(text))
    },
  })

  return {
    devicesServedBy: (serving: DeviceServing) => {
      devices = serving
    },
  }
}
