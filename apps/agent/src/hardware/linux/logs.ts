import { existsSync } from 'node:fs'
import { mkdir, readdir, realpath, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommandArgs } from '@campanile/contract'
import type { Config } from '../../config.ts'
import type { Artefact } from '../port.ts'
import { makeFile, stamp, workFolderOf } from './files.ts'
import type { Machine } from './machine.ts'

const linesMax = '20000'
const archiveMs = 10 * 60_000

interface Place {
  readonly machine: Machine
  readonly config: Config
  /** Holds the identity, and never leaves the machine. */
  readonly stateFolder: string
}

const isWithin = (path: string, folder: string) =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)

/** One archive of everything that belongs to a kind of log. */
export const collectLog = async (place: Place, { type, path }: CommandArgs<'uploadLog'>): Promise<Artefact> => {
  const files = type === 'custom' ? [await permitted(place, path)] : await existing(filesOf(place.config, type))
  return makeFile(
    workFolderOf(place.stateFolder),
    `${type}-${stamp()}.tar.gz`,
    'application/gzip',
    async (archive, folder) => {
      const notes = join(folder, 'journal')
      await mkdir(notes)
      if (type !== 'custom') await writeJournal(place, type, notes)
      if (files.length === 0 && (await readdir(notes)).length === 0)
        throw new Error(`this machine keeps no logs of the kind "${type}"`)
      await pack(place, archive, folder, files)
      const { size } = await stat(archive)
      const limit = place.config.uploadMaxMegabytes
      if (size > limit * 1024 * 1024) throw new Error(`the archive is larger than ${limit} MB (uploadMaxMegabytes)`)
    },
  )
}

const filesOf = (config: Config, type: 'crash' | 'log' | 'system'): readonly string[] =>
  type === 'system'
    ? ['/var/log/syslog', '/var/log/messages', '/var/log/dmesg', '/var/log/kern.log']
    : config.logs[type]

const existing = async (paths: readonly string[]): Promise<string[]> => {
  const real = await Promise.all(paths.map((path) => realpath(path).catch(() => undefined)))
  return real.filter((path) => path !== undefined) as string[]
}

/** Links are followed first, so that a folder cannot lead out of where it seems to lie. */
const permitted = async ({ config, stateFolder }: Place, path: string | undefined): Promise<string> => {
  if (!path || path === '/') throw new Error('name a folder: the whole disk is not uploaded')
  const real = await realpath(path).catch(() => {
    throw new Error(`there is no ${path}`)
  })
  const roots = await existing(config.uploadFrom)
  if (!roots.some((root) => isWithin(real, root)))
    throw new Error(
      `${path} is outside the folders this machine lets out (uploadFrom: ${config.uploadFrom.join(', ')})`,
    )
  if (existsSync(stateFolder) && isWithin(real, await realpath(stateFolder)))
    throw new Error("the agent's own folder is not let out")
  return real
}

const writeJournal = async ({ machine, config }: Place, type: 'crash' | 'log' | 'system', folder: string) => {
  if (!machine.has('journalctl')) return
  const units = Object.values(config.apps).flatMap(({ unit }) => (unit ? ['--unit', unit] : []))
  const which = { crash: ['--priority', 'err'], log: units, system: ['--boot'] }[type]
  if (which.length === 0) return
  const text = await machine
    .run('journalctl', ['--no-pager', '--output', 'short-iso', '--lines', linesMax, ...which], { timeoutMs: archiveMs })
    .catch((error: Error) => `${error.message}\n`)
  await writeFile(join(folder, `${type}.log`), text)
}

/** Names begin with a dot, so that none is taken for an option. */
const pack = async ({ machine, stateFolder }: Place, archive: string, folder: string, files: readonly string[]) => {
  const own = existsSync(stateFolder) ? [`--exclude=.${await realpath(stateFolder)}`] : []
  const rules = ['--anchored', '--no-wildcards', ...own, '--ignore-failed-read']
  const found = files.length > 0 ? ['-C', '/', ...files.map((file) => `.${file}`)] : []
  const members = ['-C', folder, './journal', ...found]
  // 1 says that a log grew while it was read.
  await machine.run('tar', ['--create', '--gzip', '--file', archive, ...rules, ...members], {
    timeoutMs: archiveMs,
    codeMax: 1,
  })
}
