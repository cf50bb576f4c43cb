import { readFile, writeFile } from 'node:fs/promises'
import type { Artefact } from '../port.ts'
import { makeFile, stamp } from './files.ts'
import type { Machine } from './machine.ts'
import { xwdToPng } from './xwd.ts'

type Taker = (machine: Machine, path: string, env: Record<string, string>) => Promise<unknown>

/** In the order they are preferred. */
const takers: Record<string, Taker> = {
  scrot: ({ run }, path, env) => run('scrot', ['--overwrite', path], { env }),
  import: ({ run }, path, env) => run('import', ['-silent', '-window', 'root', path], { env }),
  xwd: async ({ run }, path, env) => {
    await run('xwd', ['-root', '-silent', '-out', `${path}.xwd`], { env })
    await writeFile(path, xwdToPng(await readFile(`${path}.xwd`)))
  },
}

const takerOf = (machine: Machine) => Object.keys(takers).find((program) => machine.has(program))

export const screenObstacle = (machine: Machine): string | undefined =>
  takerOf(machine) ? undefined : `none of ${Object.keys(takers).join(', ')} is installed`

export const captureScreen = (machine: Machine, display: string): Promise<Artefact> =>
  makeFile(`screen-${stamp()}.png`, 'image/png', async (path) => {
    const taker = takers[takerOf(machine) ?? '']
    if (!taker) throw new Error(screenObstacle(machine))
    await taker(machine, path, { DISPLAY: display })
  })
