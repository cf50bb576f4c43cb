import type pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Secrets } from '../secrets.ts'
import { connectEmbedded, startEmbedded } from './embedded.ts'
import { useExternal } from './external.ts'

export interface Database {
  /** Owns the tables: migrations, backup and restore. */
  owner: pg.ClientConfig
  /** The role `campanile_app`, which serves requests and owns nothing. */
  app: pg.PoolConfig
  stop(): Promise<void>
}

/** The embedded PostgreSQL in the data folder, or the one CAMPANILE_DATABASE_URL names. */
export async function startDatabase(
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
  secrets: Pick<Secrets, 'database'>,
  log: Logger,
  onLost?: (error: Error) => void,
): Promise<Database> {
  if (config.databaseUrl) {
    return { ...(await useExternal(config.databaseUrl, secrets.database.app)), stop: async () => undefined }
  }
  return startEmbedded({ dataDir: config.dataDir, passwords: secrets.database, log, ...(onLost ? { onLost } : {}) })
}

/** The embedded PostgreSQL that another process, the running server, has started. `stop` leaves it running. */
export const joinEmbedded = (dataDir: string, secrets: Pick<Secrets, 'database'>): Database =>
  connectEmbedded(dataDir, secrets.database)
