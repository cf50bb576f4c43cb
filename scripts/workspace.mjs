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

/** The kind of machine, in the words that package.json files use. */
const thisMachine = {
  os: process.platform,
  cpu: process.arch,
  libc: process.platform === 'linux' ? (process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl') : '',
}

const readPackages = (path) => JSON.parse(readFileSync(path, 'utf8')).packages

/** Whether a package that is a program for some kinds of machine is one for this kind. */
const fits = ({ os, cpu, libc }, machine) =>
  Boolean(os || cpu) &&
  (!os || os.includes(machine.os)) &&
  (!cpu || cpu.includes(machine.cpu)) &&
  (!libc || machine.libc === '' || libc.includes(machine.libc))

/** Tools such as rolldown and esbuild are programs of the machine, in a package of their own for each kind. npm passes over
 *  one that is missing without a word, and the build ends in "Cannot find native binding". */
export function missingPrograms(folder = root, machine = thisMachine) {
  const wanted = readPackages(join(folder, 'package-lock.json'))
  const present = readPackages(join(folder, 'node_modules/.package-lock.json'))
  const isForgotten = (path, name) =>
    !wanted[`node_modules/${name}`] &&
    !wanted[`${path}/node_modules/${name}`] &&
    name.includes(`${machine.os}-${machine.cpu}`) &&
    name.includes('musl') === (machine.libc === 'musl')
  const forgotten = Object.entries(wanted).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => isForgotten(path, name)),
  )
  const absent = Object.entries(wanted)
    .filter(([path, entry]) => entry.optional && fits(entry, machine) && !present[path])
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
  return [...new Set([...forgotten, ...absent])].sort()
}

/** npm notes at the end of every installation what it put into node_modules; a broken or old one shows as a difference. */
export function installIsCurrent(folder = root) {
  try {
    const wanted = readPackages(join(folder, 'package-lock.json'))
    const present = readPackages(join(folder, 'node_modules/.package-lock.json'))
    return (
      missingPrograms(folder).length === 0 &&
      Object.entries(wanted).every(
        ([path, { version, optional, devOptional }]) =>
          !path.startsWith('node_modules/') ||
          optional ||
          devOptional ||
          // Our own packages are links without a version: a new one must be there too.
          (present[path] && present[path].version === version),
      )
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
  const missing = missingPrograms()
  if (missing.length === 0) return
  console.error(
    [
      `These packages hold programs for this machine (${Object.values(thisMachine).filter(Boolean).join(', ')}) and could not be installed:`,
      ...missing.map((name) => `  ${name}`),
      'Nothing can be built without them. Look whether your npm registry has them ("npm view NAME versions") and whether',
      'npm is told to leave optional packages out ("npm config get omit"); then remove node_modules and start again.',
    ].join('\n'),
  )
  process.exit(1)
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
    // Tests build too, and a build for tests is another one than customers get.
    run('npm', ['run', '--silent', 'build', '-w', `apps/${name}`], { env: { ...process.env, NODE_ENV: 'production' } })
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
