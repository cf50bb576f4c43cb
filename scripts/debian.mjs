import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const isExecutable = (path) => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The first of these programs that is on the path. */
export function findProgram(names) {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

/** Installs Debian packages until the program is there, or ends with what to do by hand. */
export function installProgram(what, names, packages) {
  if (findProgram(names)) return
  const administrator = asAdministrator()
  if (administrator) {
    console.log(`Installing ${what} …`)
    const apt = (...args) =>
      spawnSync(administrator[0], [...administrator.slice(1), ...args], {
        stdio: 'inherit',
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      })
    apt('update', '-qq')
    apt('install', '-qq', '-y', '--no-install-recommends', ...packages)
    if (findProgram(names)) return
  }
  console.error(
    `The tests need ${what}: install it, for instance with "apt-get install ${packages.join(' ')}", then run npm test again.`,
  )
  process.exit(1)
}

/** How this user may call apt-get, if at all. */
function asAdministrator() {
  const call = process.getuid?.() === 0 ? ['apt-get'] : ['sudo', '-n', 'apt-get']
  return spawnSync(call[0], [...call.slice(1), '--version']).status === 0 ? call : undefined
}
