import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pngOf } from '../../png.ts'
import type { Machine } from './machine.ts'
import { captureScreen, screenObstacle } from './screen.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'screen-'))
})
afterEach(() => rm(folder, { recursive: true }))

const colours = pngOf(1, 1, Buffer.from([0, 255, 0, 0]))
/** The same picture as a program writes it that saves bytes: one of sixteen colours of a palette a pixel. */
const palette = Buffer.from(colours)
palette.set([4, 3], 24)

/** Two pixels, red and blue, as `xwd` dumps them. */
const dump = () => {
  const header = Buffer.alloc(100)
  for (const [at, value] of Object.entries({ 0: 100, 1: 7, 2: 2, 3: 24, 4: 2, 5: 1, 11: 32, 12: 8 }))
    header.writeUInt32BE(value, Number(at) * 4)
  return Buffer.concat([header, Buffer.from([0, 0, 255, 0, 255, 0, 0, 0])])
}

type Program = (args: readonly string[]) => Promise<void>
const programs: Record<string, Program> = {
  scrot: (args) => writeFile(args.at(-1) ?? '', colours),
  // As ImageMagick does: few colours become a palette unless the name asks for three bytes a pixel.
  import: (args) => {
    const [, kind, path = ''] = /^(PNG24:)?(.+)$/.exec(args.at(-1) ?? '') ?? []
    return writeFile(path, kind ? colours : palette)
  },
  xwd: (args) => writeFile(args.at(-1) ?? '', dump()),
}
const machineWith = (installed: Record<string, Program>): Machine => ({
  has: (program) => program in installed,
  isRoot: false,
  hasSystemd: false,
  run: async (program, args) => {
    await installed[program]?.(args)
    return ''
  },
})
const kindOf = async (machine: Machine) => {
  const file = await captureScreen(machine, ':9', folder)
  const bytes = Buffer.concat(await file.open().toArray())
  await file.discard()
  return { bits: bytes[24], colour: bytes[25] }
}
const broken: Program = async () => {
  throw new Error('scrot: no such display')
}
const truecolour = { bits: 8, colour: 2 }

describe('a picture of the screen', () => {
  it.each(Object.keys(programs))('has eight bits of red, green and blue when %s took it', async (name) => {
    expect(await kindOf(machineWith({ [name]: programs[name] as Program }))).toEqual(truecolour)
  })

  it('is taken by the next program when one fails or writes something else', async () => {
    expect(await kindOf(machineWith({ ...programs, scrot: broken }))).toEqual(truecolour)
    const odd: Program = (args) => writeFile((args.at(-1) ?? '').replace('PNG24:', ''), palette)
    expect(await kindOf(machineWith({ xwd: programs.xwd as Program, import: odd }))).toEqual(truecolour)
  })

  it('names every program that failed, and leaves nothing behind', async () => {
    const machine = machineWith({ scrot: broken, import: async () => undefined })
    await expect(captureScreen(machine, ':9', folder)).rejects.toThrow(/scrot: no such display; .*ENOENT/)
    expect(await readdir(folder)).toEqual([])
    expect(screenObstacle(machineWith({}))).toBe('none of scrot, import, xwd is installed')
  })
})
