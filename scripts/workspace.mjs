import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Runs a command in the repository; ends us with its exit code when it fails. */
export function run(command, args, options = {}) {
  const { status, signal, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options })
  if (error) {
    console.error(`${command} cannot be run: ${error.message}`)
    process.exit(1)
  }
  if (status !== 0) process.exit(status ?? (signal === 'SIGINT' ? 130 : 1))
}

/** npm notes at the end of every installation what it put into node_modules; a broken or old one shows as a difference. */
export function installIsCurrent(folder = root) {
  try {
    const wanted = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages
    const present = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8')).packages
    return Object.entries(wanted).every(
      ([path, { version, optional, devOptional }]) =>
        !path.startsWith('node_modules/') || optional || devOptional || present[path]?.version === version,
    )
  } catch {
    return false
  }
}

/** Versions come from the lock file. `npm ci` would refuse it where a registry lacks packages for foreign platforms. */
export function install() {
  if (installIsCurrent()) return
  console.log('Installing packages …')
  run('npm', ['install', '--no-save', '--include=dev', '--include=optional', '--no-audit', '--no-fund'])
}

/** What each build is made from, and where its result lies. */
const builds = {
  console: { from: ['apps/console', 'packages'], result: 'apps/console/dist' },
  server: { from: ['apps/server', 'packages'], result: 'apps/server/dist' },
  agent: { from: ['apps/agent', 'packages'], result: 'apps/agent/dist' },
  simulator: { from: ['apps/simulator', 'apps/agent', 'packages'], result: 'apps/simulator/dist' },
}

export function buildStale(names = Object.keys(builds)) {
  for (const name of names) {
    const { from, result } = builds[name]
    const stamp = join(root, 'node_modules', `.campanile-${name}`)
    const sources = fingerprint([...from, 'package-lock.json'])
    if (existsSync(join(root, result)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) continue
    console.log(`Building the ${name} …`)
    run('npm', ['run', '--silent', 'build', '-w', `apps/${name}`])
    // A new file: where node_modules was copied by links, the old one is another checkout's too.
    rmSync(stamp, { force: true })
    writeFileSync(stamp, sources)
  }
}

const skipped = /^(node_modules|dist)$|\.test\.tsx?$/

/** Contents, not times: a fresh clone or a switched branch has new times on old files. */
export function fingerprint(paths, folder = root) {
  const hash = createHash('sha256')
  const add = (path) => {
    if (statSync(path).isFile())
      hash
        .update(`${relative(folder, path)}\0`)
        .update(readFileSync(path))
        .update('\0')
    else for (const name of readdirSync(path).sort()) if (!skipped.test(name)) add(join(path, name))
  }
  for (const path of paths) add(join(folder, path))
  return hash.digest('hex')
}
