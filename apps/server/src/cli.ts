import { fileURLToPath } from 'node:url'
import pino from 'pino'
import { type Command, type CommandContext, commands } from './commands.ts'
import { finishRestore } from './platform/backup/restore.ts'
import { readConfig } from './platform/config.ts'
import { dataPaths, exists } from './platform/data-folder.ts'
import { createDb } from './platform/db.ts'
import { findRunningInstance, lockInstance } from './platform/instance-lock.ts'
import { migrate } from './platform/migrate.ts'
import { OperatorError } from './platform/operator-error.ts'
import { joinEmbedded, startDatabase } from './platform/postgres/index.ts'
import { loadSecrets } from './platform/secrets.ts'

// The same from src and from dist.
const migrationsDir = fileURLToPath(new URL('../migrations', import.meta.url))
const log = pino({ level: 'warn' }, pino.destination({ dest: 2, sync: true }))

const help = (): string => {
  const lines = Object.entries(commands).map(
    ([name, command]) => [`${name} ${command.usage}`, command.meaning] as const,
  )
  const width = Math.max(...lines.map(([call]) => call.length))
  return ['npm run campanile -- …', ...lines.map(([call, meaning]) => `  ${call.padEnd(width)}  ${meaning}`)].join('\n')
}

const find = (args: string[]): { command: Command; rest: string[] } | undefined => {
  for (const words of [2, 1]) {
    const command = commands[args.slice(0, words).join(' ')]
    if (command) return { command, rest: args.slice(words) }
  }
  return undefined
}

const createContext = (): CommandContext => {
  const config = readConfig(process.env)
  return {
    config,
    log,
    migrationsDir,
    async withInstallation(work) {
      const { dataDir } = config
      if (!(await exists(dataPaths(dataDir).secrets))) {
        throw new OperatorError(`${dataDir} holds no installation: start Campanile once, or set CAMPANILE_DATA.`)
      }
      const running = await findRunningInstance(dataDir)
      const lock = running ? undefined : await lockInstance(dataDir)
      try {
        if (lock) await finishRestore(dataDir)
        const secrets = await loadSecrets(dataDir)
        const database =
          running && !config.databaseUrl ? joinEmbedded(dataDir, secrets) : await startDatabase(config, secrets, log)
        const { db, pool, close } = createDb(database.app)
        try {
          if (!running) await migrate(database.owner, migrationsDir)
          return await work({ config, secrets, db, pool, log, owner: database.owner })
        } finally {
          await close()
          await database.stop()
        }
      } finally {
        await lock?.release()
      }
    },
  }
}

const found = find(process.argv.slice(2))
if (!found) {
  const asked = process.argv.length === 2 || process.argv.includes('--help')
  console[asked ? 'log' : 'error'](help())
  process.exit(asked ? 0 : 2)
}
try {
  await found.command.run(found.rest, createContext())
} catch (error) {
  if (error instanceof OperatorError) console.error(error.message)
  else log.fatal({ err: error }, 'the command failed')
  process.exitCode = 1
}
