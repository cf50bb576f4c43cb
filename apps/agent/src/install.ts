import { chmod, copyFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

export const unitPath = '/etc/systemd/system/campanile-agent.service'
const programPath = '/usr/local/lib/campanile-agent/agent.mjs'

/** systemd reads `%` and `$` in a command line. */
const quote = (word: string) =>
  /^[\w./:@=-]+$/.test(word)
    ? word
    : `"${word.replace(/["\\%$]/g, (sign) => (sign === '%' ? '%%' : sign === '$' ? '$$' : `\\${sign}`))}"`

export const unitText = (node: string, stateFolder: string, flags: readonly string[]): string => `[Unit]
Description=Campanile agent
Wants=network-online.target
After=network-online.target

[Service]
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
