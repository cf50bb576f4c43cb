import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client'

interface MetricsDeps {
  /** Where every room leaves its own figures. */
  readonly meters: Registry
  readonly app: FastifyInstance
  readonly pool: pg.Pool
  /** How many jobs there are of each kind and state. */
  readonly countJobs: () => Promise<readonly { kind: string; state: string; count: number }[]>
}

/** What Prometheus asks for. Routes are named by their pattern, so ids never become labels. */
export const createMetrics = ({ app, pool, countJobs, meters: register }: MetricsDeps) => {
  collectDefaultMetrics({ register, prefix: 'campanile_' })

  const durations = new Histogram({
    name: 'campanile_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [register],
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })

  new Gauge({
    name: 'campanile_database_connections',
    help: 'Connections of the pool that serves requests',
    labelNames: ['state'],
    registers: [register],
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'waitedFor' }, pool.waitingCount)
    },
  })
  new Gauge({
    name: 'campanile_jobs',
    help: 'Jobs in the database by kind and state',
    labelNames: ['kind', 'state'],
    registers: [register],
    async collect() {
      this.reset()
      for (const { kind, state, count } of await countJobs()) this.set({ kind, state }, count)
    },
  })

  return {
    type: register.contentType,
    text: () => register.metrics(),
  }
}
