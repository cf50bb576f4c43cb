import { resolve } from 'node:path'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { AppDeps } from './app.ts'
import { makeSimulated } from './demo/simulated.ts'
import { resetPassword } from './domains/identity/index.ts'
import { auditSentence, verifyAudit } from './domains/system/index.ts'
import { backup } from './platform/backup/backup.ts'
import { restore } from './platform/backup/restore.ts'
import type { Config } from './platform/config.ts'
import { findRunningInstance } from './platform/instance-lock.ts'
import { OperatorError } from './platform/operator-error.ts'

export interface CommandContext {
  config: Config
  log: Logger
  migrationsDir: string
  /** Lends the installation's database, running or not, for as long as the work takes. */
  withInstallation<T>(work: (deps: AppDeps & { owner: pg.ClientConfig }) => Promise<T>): Promise<T>
}

export interface Command {
  /** What follows the name, as the help shows it. */
  usage: string
  meaning: string
  run(args: string[], context: CommandContext): Promise<void>
}

/** `npm run campanile -- <name> …`. A domain adds its commands here, by a name of one or two words. */
export const commands: Record<string, Command> = {
  backup: {
    usage: 'FILE',
    meaning: 'write database, stored files and keys to FILE; the server may be running',
    async run(args, { config, withInstallation }) {
      const file = fileArgument(args, [])
      const { tables } = await withInstallation(({ owner }) => backup(file, config.dataDir, owner))
      const rows = tables.reduce((sum, table) => sum + table.rows, 0)
      console.log(
        `${file} holds ${rows} rows of ${tables.length} tables. Keep it as safe as the server: the keys are inside.`,
      )
    },
  },
  restore: {
    usage: 'FILE [--replace]',
    meaning: 'fill an empty data folder from FILE; with --replace also one that is not empty',
    async run(args, { config, log, migrationsDir }) {
      const file = fileArgument(args, ['--replace'])
      const { dataDir, databaseUrl } = config
      const replace = args.includes('--replace')
      const { createdAt } = await restore(file, {
        dataDir,
        ...(databaseUrl ? { databaseUrl } : {}),
        migrationsDir,
        replace,
        log,
      })
      console.log(`${dataDir} is as it was at ${createdAt}. Start the server as usual.`)
    },
  },
  'simulated-devices': {
    usage: 'N',
    meaning:
      'register N devices for npm run simulate with the server that runs, and write their passwords to a private file',
    async run([count, ...more], { config, withInstallation }) {
      if (!count || more.length > 0) throw new OperatorError('Name how many devices are to live.')
      const { dataDir } = config
      if (!(await findRunningInstance(dataDir)))
        throw new OperatorError(
          `No Campanile runs with ${dataDir}: start one with npm start in another terminal. If one runs with other CAMPANILE_* settings, set the same here; devices of a server elsewhere are named with --credentials.`,
        )
      console.log(await withInstallation(({ db }) => makeSimulated(db, config, Number(count))))
    },
  },
  'user reset-password': {
    usage: 'NAME',
    meaning: 'give the account NAME a new password, unlock it and end its sessions',
    async run([name, ...more], { withInstallation }) {
      if (!name || more.length > 0) throw new OperatorError('Name one account.')
      const password = await withInstallation(({ db }) => resetPassword(db, name))
      if (!password) throw new OperatorError(`No account is called ${name}.`)
      console.log(`The password of ${name} is now ${password}`)
    },
  },
  'verify-audit': {
    usage: '',
    meaning: 'compute the chain of the operation log anew and name the first line that does not fit',
    async run(_args, { config, withInstallation }) {
      const verdict = await withInstallation(({ db, secrets }) => verifyAudit(db, config.dataDir, secrets.signingKey))
      if (verdict.bad) throw new OperatorError(auditSentence(verdict))
      console.log(auditSentence(verdict))
    },
  },
}

/** Relative to where the command was typed: npm itself moves to the repository first. */
function fileArgument(args: string[], options: string[]): string {
  const [file, ...more] = args.filter((arg) => !options.includes(arg))
  if (!file || file.startsWith('-') || more.length > 0) throw new OperatorError('Name one file.')
  return resolve(process.env.INIT_CWD ?? process.cwd(), file)
}
