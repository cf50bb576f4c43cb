import type { Hello } from '@campanile/contract/protocol'
import type { Allowed, Config } from '../../config.ts'
import type { Result } from '../port.ts'
import type { Machine } from './machine.ts'

type Apps = NonNullable<Hello['apps']>

/** Units and packages of the machine. */
export const createSoftware = (machine: Machine, config: Config, allowed: Allowed) => {
  const unitOf = (app: string): string | undefined => config.apps[app]?.unit
  const isEnabled = (unit: string) =>
    machine.run('systemctl', ['is-enabled', '--', unit]).then(
      () => true,
      () => false,
    )

  /** Apps the owner has named; what people see without asking for the whole list. */
  const apps = async (): Promise<Apps> => {
    const list: Apps = []
    for (const [name, { unit }] of Object.entries(config.apps)) {
      list.push({ package: name, ...(unit && machine.hasSystemd ? { enabled: await isEnabled(unit) } : {}) })
    }
    return list
  }

  return {
    apps,

    restartObstacle: () => {
      const known = Object.values(config.apps)
      if (known.length === 0) return 'no apps are configured (apps in config.json)'
      return known.some(({ restart }) => restart) || machine.hasSystemd
        ? undefined
        : 'this machine does not run systemd'
    },
    restart: async (named: string | undefined): Promise<Result> => {
      const app = named ?? config.mainApp ?? Object.keys(config.apps)[0] ?? ''
      const entry = config.apps[app]
      if (!entry) throw new Error(`no app ${app} is configured here`)
      if (entry.restart) {
        const [program = '', ...args] = entry.restart
        await machine.run(program, args)
        return { app }
      }
      if (!entry.unit) throw new Error(`${app} has neither a unit nor a restart command`)
      await machine.run('systemctl', ['restart', '--', entry.unit])
      // `restart` succeeds for a service that dies a moment later.
      await machine.run('systemctl', ['is-active', '--', entry.unit])
      return { app, unit: entry.unit }
    },

    listObstacle: () => (machine.has('dpkg-query') ? undefined : 'dpkg-query is not installed'),
    list: async (): Promise<Apps> => {
      const format = '$' + '{db:Status-Status}\t$' + '{Package}\t$' + '{Version}\n'
      const text = await machine.run('dpkg-query', ['--show', `--showformat=${format}`])
      const packages = text.split('\n').flatMap((line) => {
        const [status, name, version] = line.split('\t')
        return status === 'installed' && name ? [{ package: name, ...(version ? { version } : {}) }] : []
      })
      return [...(await apps()), ...packages]
    },

    enableObstacle: () => {
      if (!machine.hasSystemd) return 'this machine does not run systemd'
      return Object.values(config.apps).some(({ unit }) => unit) ? undefined : 'no app with a unit is configured'
    },
    setEnabled: async (app: string, enabled: boolean): Promise<Result> => {
      const unit = unitOf(app)
      if (!unit) throw new Error(`no unit is configured for ${app}`)
      await machine.run('systemctl', [enabled ? 'enable' : 'disable', '--now', '--', unit])
      return { app, unit, enabled }
    },

    uninstallObstacle: () => {
      if (!allowed.uninstall) return 'the agent was started without --allow-uninstall'
      if (!machine.has('apt-get')) return 'apt-get is not installed'
      return machine.isRoot ? undefined : 'the agent does not run as root'
    },
    uninstall: async (name: string): Promise<Result> => {
      const format = '$' + '{db:Status-Status} $' + '{Essential}'
      const status = await machine.run('dpkg-query', ['--show', `--showformat=${format}`, '--', name]).catch(() => '')
      if (!status.startsWith('installed')) throw new Error(`${name} is not installed`)
      if (status.endsWith('yes')) throw new Error(`${name} is essential to the system`)
      await machine.run('apt-get', ['remove', '--yes', '--quiet', '--', name], {
        env: { DEBIAN_FRONTEND: 'noninteractive' },
        timeoutMs: 15 * 60_000,
      })
      return { package: name }
    },
  }
}
