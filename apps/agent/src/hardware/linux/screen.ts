import { readFile, writeFile } from 'node:fs/promises'
import { isTrueColour } from '../../png.ts'
import type { Artefact } from '../port.ts'
import { makeFile, stamp } from './files.ts'
import type { Machine } from './machine.ts'
import { xwdToPng } from './xwd.ts'

type Taker = (machine: Machine, path: string, env: Record<string, string>) => Promise<unknown>

/** In the order they are tried. */
const takers: Record<string, Taker> = {
  scrot: ({ run }, path, env) => run('scrot', ['--overwrite', path], { env }),
  // Left to itself it saves a screen of few colours with a palette, or as black and white.
  import: ({ run }, path, env) => run('import', ['-silent', '-window', 'root', `PNG24:${path}`], { env }),
  xwd: async ({ run }, path, env) => {
    await run('xwd', ['-root', '-silent', '-out', `${path}.xwd`], { env })
    await writeFile(path, xwdToPng(await readFile(`${path}.xwd`)))
  },
}

const takersOf = (machine: Machine) => Object.entries(takers).filter(([program]) => machine.has(program))

export const screenObstacle = (machine: Machine): string | undefined =>
  takersOf(machine).length > 0 ? undefined : `none of ${Object.keys(takers).join(', ')} is installed`

/** The same kind of picture whichever program took it; one that fails leaves it to the next. */
export const captureScreen = (machine: Machine, display: string, workFolder: string): Promise<Artefact> =>
  makeFile(workFolder, `screen-${stamp()}.png`, 'image/png', async (path) => {
    const failures: string[] = []
    for (const [program, take] of takersOf(machine)) {
      try {
        await take(machine, path, { DISPLAY: display })
        if (isTrueColour(await readFile(path))) return
        failures.push(`${program}: wrote no PNG of red, green and blue`)
      } catch (error) {
        failures.push(error instanceof Error ? error.message : String(error))
      }
    }
    throw new Error(failures.join('; ') || screenObstacle(machine))
  })
