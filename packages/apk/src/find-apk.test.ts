import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, test } from 'vitest'
import { readApp } from './app/app.ts'
import { findApk } from './find-apk.ts'
import { verifySigning } from './signing/signing.ts'
import { sourceOfFile } from './source.ts'
import { archive, fixture, reasonOf, sourceOf } from './test/archives.ts'

const find = (bytes: Buffer) => findApk(sourceOf(bytes))

test.each([
  ['by itself', 'v2-v3.apk', null],
  ['stored in an archive', 'stored.zip', 'kiosk.apk'],
  ['stored in an archive of the larger format', 'zip64.zip', 'kiosk.apk'],
])('an app is read in its place: %s', async (_, name, entry) => {
  const found = await find(fixture(name))
  if (found.kind !== 'apk') throw new Error(found.kind)
  expect(found.entry).toBe(entry)
  expect((await readApp(found.zip)).packageName).toBe('com.example.kiosk')
  expect((await verifySigning(found.zip)).verified).toBe('v3')
})

it('a packed app is unpacked to a file first', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'campanile-apk-'))
  const path = join(folder, 'unpacked')
  try {
    const found = await find(fixture('packed.zip'))
    if (found.kind !== 'packed') throw new Error(found.kind)
    await writeFile(path, found.content())
    const file = await open(path)
    const again = await findApk(await sourceOfFile(file))
    if (again.kind !== 'apk') throw new Error(again.kind)
    expect((await verifySigning(again.zip)).verified).toBe('v3')
    await file.close()
  } finally {
    await rm(folder, { recursive: true })
  }
})

test.each([
  ['two', 'notOneApk', fixture('two.zip')],
  ['none', 'notOneApk', archive([{ name: 'readme.txt' }])],
  ['one that is none', 'notAnApk', archive([{ name: 'a.apk', content: archive([{ name: 'x' }]) }])],
  ['an archive with one', 'notAnApk', archive([{ name: 'a.apk', content: fixture('stored.zip') }])],
  ['one that is encrypted', 'encrypted', fixture('encrypted.zip')],
  ['a link to one', 'notAFile', fixture('link.zip')],
])('an archive with %s is refused', async (_, reason, bytes) => {
  expect(await reasonOf(find(bytes))).toBe(reason)
})

it('does not count what a Mac puts beside a file', async () => {
  const found = await find(
    archive([
      { name: 'kiosk.apk', content: fixture('v1.apk') },
      { name: '__MACOSX/._kiosk.apk', content: 'x' },
    ]),
  )
  expect(found).toMatchObject({ kind: 'apk', entry: 'kiosk.apk' })
})
