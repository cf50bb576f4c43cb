import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Machine, thisMachine } from './machine.ts'
import { createAppliers, createKept } from './settings.ts'
import { createTemplates } from './template.ts'

/** Sets what it is told in a file of its own, and prints what stands there. */
const program = `
const { readFileSync, writeFileSync } = require('node:fs')
const told = JSON.parse(readFileSync(0, 'utf8'))
const at = process.argv[2]
const now = { ...JSON.parse(readFileSync(at, 'utf8')), ...told.items }
if (told.items.camera === 'on') { console.error('the camera is broken'); process.exit(1) }
writeFileSync(at, JSON.stringify(now))
console.log(JSON.stringify(now))
`
/** Nothing of the machine that runs the tests is touched. */
const bare: Machine = { ...thisMachine, has: () => false, hasSystemd: false }

let folder: string
let values: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'template-'))
  values = join(folder, 'values.json')
  await writeFile(values, JSON.stringify({ volumeCall: 30, bluetooth: 'on' }))
  await writeFile(join(folder, 'program.cjs'), program)
})
afterEach(() => rm(folder, { recursive: true }))

const templates = (withProgram = true) =>
  createTemplates({
    machine: bare,
    program: withProgram ? [process.execPath, join(folder, 'program.cjs'), values] : undefined,
    kept: createKept(folder),
    appliers: createAppliers(bare),
  })
const held = async () => JSON.parse(await readFile(values, 'utf8')) as unknown

it('sets what it is told, says what held before, and goes back there, over restarts and repetitions', async () => {
  const first = { templateId: 4, version: 1, items: { volumeCall: 80 } }
  expect(await templates().apply(first)).toEqual({ items: { volumeCall: 80 }, before: { volumeCall: 30 } })
  const again = { templateId: 4, version: 2, items: { volumeCall: 60, bluetooth: 'off' as const } }
  expect(await templates().apply(again)).toMatchObject({ before: { volumeCall: 30, bluetooth: 'on' } })
  await expect(templates().undo(5)).rejects.toThrow('another template')
  expect(await templates().undo(4)).toMatchObject({ items: { volumeCall: 30, bluetooth: 'on' } })
  expect(await held()).toEqual({ volumeCall: 30, bluetooth: 'on' })
  expect(await templates().undo(4)).toEqual({ items: {}, before: {} })
})

it('tells once what somebody has changed, and only of what a template has set', async () => {
  const here = templates()
  await here.apply({ templateId: 4, version: 1, items: { volumeCall: 80 } })
  await writeFile(values, JSON.stringify({ volumeCall: 5, bluetooth: 'off' }))
  const later = Date.now()
  expect(await here.look(later)).toMatchObject([{ type: 'settingsChanged', data: { items: { volumeCall: 5 } } }])
  expect(await here.look(later + 10 * 60_000)).toEqual([])
  await rm(values)
  expect(await here.look(later + 20 * 60_000)).toEqual([])
})

it('fails by name with what cannot be set', async () => {
  await expect(templates().apply({ templateId: 4, version: 1, items: { camera: 'on' } })).rejects.toThrow('broken')
  await expect(templates(false).apply({ templateId: 4, version: 1, items: { usb: 'off' } })).rejects.toThrow(
    'usb (templateCommand is not configured)',
  )
  await expect(templates(false).apply({ templateId: 4, version: 1, items: { volumeMusic: 3 } })).rejects.toThrow(
    'volumeMusic (amixer is not installed)',
  )
})
