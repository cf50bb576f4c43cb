import { existsSync, readFileSync } from 'node:fs'
import { chmod, copyFile, mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export const unitPath = '/etc/systemd/system/campanile-agent.service'
const programPath = '/usr/local/lib/campanile-agent/agent.mjs'

const accounts = '/etc/passwd'

/** systemd reads `%` and `$` in a command line. */
const quote = (word: string) =>
  /^[\w./:@=-]+$/.test(word)
    ? word
    : `"${word.replace(/["\\%$]/g, (sign) => (sign === '%' ? '%%' : sign === '$' ? '$$' : `\\${sign}`))}"`

/** One line of /etc/passwd: who has this number, and where they are at home. */
const userBy = (matches: (fields: readonly string[]) => boolean, file = accounts): readonly string[] | undefined => {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .find(matches)
}

/** Whoever joined did so as themselves: with `sudo` their folder is still meant, not root's, where theirs has an identity. */
export const homeOfCaller = (
  env: Readonly<Record<string, string | undefined>>,
  home: string,
  file = accounts,
): string => {
  const caller = env.SUDO_USER
  if (!caller || caller === 'root' || existsSync(join(home, '.campanile-agent', 'identity.json'))) return home
  const theirs = userBy(([name]) => name === caller, file)?.[5]
  return theirs && existsSync(join(theirs, '.campanile-agent', 'identity.json')) ? theirs : home
}

/** The account the agent runs as: what its folder holds is run as a program, so nobody may gain rights by writing there. */
export const ownerOf = async (stateFolder: string): Promise<string> => {
  const { uid } = await stat(stateFolder)
  return userBy(([, , id]) => Number(id) === uid)?.[0] ?? String(uid)
}

export const installAdvice = (node: string, program: string, stateFolder: string, flags: readonly string[]): string =>
  [
    'Only root may install a service. Run instead:',
    `  sudo ${[node, program, 'install', '--state', stateFolder, ...flags].map(shellWord).join(' ')}`,
    'It will run as the owner of that folder; commands that need root (reboot, uninstall …) need an agent that root has joined.',
    'Without a service, for as long as you are signed in:',
    `  ${[node, program, 'run', '--state', stateFolder, ...flags].map(shellWord).join(' ')}`,
  ].join('\n')
const shellWord = (word: string) => (/^[\w./:@=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)

export const unitText = (node: string, stateFolder: string, user: string, flags: readonly string[]): string => `[Unit]
Description=Campanile agent
Wants=network-online.target
After=network-online.target

[Service]
User=${user}
ExecStart=${[node, programPath, 'run', '--state', stateFolder, ...flags].map(quote).join(' ')}
Restart=always
RestartSec=5
# Wiped: there is nothing left to run.
RestartPreventExitStatus=3
UMask=0077

[Install]
WantedBy=multi-user.target
`

/** Copies the program where it stays and writes the unit that runs it. */
export const install = async (program: string, unit: string): Promise<void> => {
  await mkdir(dirname(programPath), { recursive: true })
  if (program !== programPath) await copyFile(program, programPath)
  await chmod(programPath, 0o755)
  await writeFile(unitPath, unit, { mode: 0o644 })
}
