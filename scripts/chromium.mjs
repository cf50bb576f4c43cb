import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { run } from './workspace.mjs'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

export function findChromium() {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

const isExecutable = (path) => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Tests look at real pages in a real browser; Chinese ones need a font too. */
export function installChromium() {
  if (findChromium()) return
  const packages = ['chromium', 'fonts-noto-cjk']
  const wanted = `The tests need Chromium: install it, for instance with "apt-get install ${packages.join(' ')}", then run npm test again.`
  const mayInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0
  if (!mayInstall) {
    console.error(wanted)
    process.exit(1)
  }
  console.log('Installing Chromium …')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  run('apt-get', ['update', '-qq'], { env })
  run('apt-get', ['install', '-qq', '-y', '--no-install-recommends', ...packages], { env })
  if (!findChromium()) {
    console.error(wanted)
    process.exit(1)
  }
}
