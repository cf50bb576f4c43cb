import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from './platform/config.ts'
import type { Db } from './platform/db.ts'
import type { Secrets } from './platform/secrets.ts'

export interface AppDeps {
  config: Config
  secrets: Secrets
  db: Db
  pool: pg.Pool
  log: Logger
}

export async function createApp({ log }: AppDeps): Promise<FastifyInstance> {
  const app = fastify({ loggerInstance: log as FastifyBaseLogger })
  app.get('/healthz', async () => ({ status: 'up' }))
  return app
}
