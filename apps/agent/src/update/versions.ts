import { chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { AppConfig } from '../config.ts'
import type { Machine } from '../hardware/linux/machine.ts'
import { isThere, leadsTo, pointLink, syncFolder } from './disk.ts'
import { UpdateFailed } from './fault.ts'
import { checkService, startService } from './service.ts'
import type { Place, Trials } from './trial.ts'
import { unpack } from './unpack.ts'

const digits = 12

/** A folder of its own for each version and content: what stands there under this name is whole. */
const nameOf = (version: string, sha256: string) => `${encodeURIComponent(version)}-${sha256.slice(0, digits)}`
const versionOf = (name: string) => decodeURIComponent(name.slice(0, -digits - 1))

export interface NewVersion {
  /** The command that asked for it. */
  readonly id: string
  readonly version: string
  readonly sha256: string
  /** The file it is made of, and how it is called. */
  readonly path: string
  readonly name: string
}

/**
 * One app in a folder of the owner's:
 * `versions/<version>` holds what came, `current` leads to the one in use, which is what the app's unit starts.
 */
export const createVersions = (
  machine: Machine,
  trials: Trials,
  app: string,
  config: AppConfig & { readonly folder: string },
) => {
  const { folder, data, unit, stop } = config
  const current = join(folder, 'current')
  const versions = join(folder, 'versions')
  const inUse = async () => {
    const target = await leadsTo(current)
    return target && basename(target)
  }
  const env = async () => ({ CAMPANILE_APP: app, CAMPANILE_FOLDER: current, CAMPANILE_VERSION: (await inUse()) ?? '' })
  const halt = async () => {
    const [program, ...args] = stop ?? []
    if (program) await machine.run(program, args, { env: await env() })
    else if (unit && machine.hasSystemd) await machine.run('systemctl', ['stop', '--', unit])
  }

  const place: Place = {
    startsMachine: false,
    point: (name) => pointLink(current, name && join('versions', name)),
    // Back at nothing there is nothing to start.
    start: async () => ((await inUse()) ? startService(machine, config, await env()) : halt()),
    check: async () => checkService(machine, config, await env()),
  }

  const prune = async (keep: readonly (string | undefined)[]) => {
    for (const name of await readdir(versions))
      if (!keep.includes(name)) await rm(join(versions, name), { recursive: true, force: true })
  }

  return {
    name: `app ${app}`,
    place,
    version: async () => {
      const name = await inUse()
      return name && versionOf(name)
    },
    isInUse: async (version: string, sha256: string) => (await inUse()) === nameOf(version, sha256),

    install: async ({ id, version, sha256, path, name: fileName }: NewVersion): Promise<void> => {
      await mkdir(versions, { recursive: true })
      const to = nameOf(version, sha256)
      const from = await inUse()
      if (!(await isThere(join(versions, to)))) {
        // Never the same twice: a program that outlived a killed agent may still be writing to the last one.
        const half = await mkdtemp(join(versions, '.new-'))
        await unpack(machine, path, fileName, half)
        await chmod(half, 0o755)
        await rename(half, join(versions, to))
        await syncFolder(versions)
      }
      try {
        await trials.change(`app ${app}`, place, { id, to, ...(from && { from }) })
      } catch (error) {
        await prune([from])
        throw error
      }
      await prune([from, to])
    },

    uninstall: async (): Promise<void> => {
      if (!(await inUse())) throw new UpdateFailed('notInstalled', app)
      await halt()
      await pointLink(current, undefined)
      await rm(versions, { recursive: true, force: true })
    },

    clearData: async (): Promise<void> => {
      if (!data) throw new UpdateFailed('installFailed', `no folder of data is configured for ${app}`)
      await halt()
      for (const name of await readdir(data).catch(() => []))
        await rm(join(data, name), { recursive: true, force: true })
      if (await inUse()) await startService(machine, config, await env())
    },
  }
}
