import { describe, expect, it, test } from 'vitest'
import { archive, fixture, type Part, reasonOf, sourceOf } from '../test/archives.ts'
import { readEntry } from '../zip/content.ts'
import { openZip } from '../zip/zip.ts'
import { readApp } from './app.ts'

const read = async (name: string) => readApp(await openZip(sourceOf(fixture(name))))
const readParts = async (parts: readonly Part[]) => readApp(await openZip(sourceOf(archive(parts))))

async function contentOf(name: string, entry: string): Promise<Buffer> {
  const zip = await openZip(sourceOf(fixture(name)))
  const found = zip.find(entry)
  if (!found) throw new Error(`${name} has no ${entry}`)
  return readEntry(zip, found, found.size)
}

/** What Android's own tool says of the fixtures. */
const expected = fixture('expected.txt').toString().split(/^== /m).slice(1)
const saidOf = (name: string) => expected.find((text) => text.startsWith(`${name}\n`)) ?? ''

describe('an app', () => {
  const names = expected.map((text) => text.slice(0, text.indexOf('\n')))
  it.each(names)('says the same to us as to aapt: %s', async (name) => {
    const said = saidOf(name)
    const app = await read(name)
    const one = (pattern: RegExp) => pattern.exec(said)?.[1]
    expect(app.packageName).toBe(one(/^package: name='([^']*)'/m))
    // Android's tool tells the lower half only.
    expect(BigInt.asUintN(32, app.versionCode)).toBe(BigInt(one(/versionCode='(\d*)'/) || 0))
    expect(app.versionName ?? '').toBe(one(/versionName='([^']*)'/))
    expect(String(app.minSdk)).toBe(one(/^sdkVersion:'(\d+)'/m) ?? '1')
    expect(String(app.targetSdk)).toBe(one(/^targetSdkVersion:'(\d+)'/m) ?? '1')
    expect(app.debuggable).toBe(said.includes('application-debuggable'))
    expect(app.label.default).toBe(one(/^application-label:'([^']*)'/m) ?? app.packageName)
  })

  it('has the permissions that stand in its manifest', async () => {
    expect((await read('v1.apk')).permissions).toEqual([
      'android.permission.INTERNET',
      'android.permission.CAMERA',
      'android.permission.NFC',
    ])
  })

  it('is called by its name in each language it has of ours', async () => {
    expect((await read('names.apk')).label).toEqual({
      default: 'Harbour Kiosk',
      en: 'Kiosk (en)',
      'zh-CN': '港口自助机',
      'zh-TW': '港口自助機',
    })
  })

  it('is called by its name where scripts are named instead of places, through a reference, with signs of all kinds', async () => {
    const { label } = await read('scripts.apk')
    expect(label).toEqual({ default: 'Kiosk 🛳', 'zh-CN': '港口自助机', 'zh-TW': '港口自助機' })
  })

  test.each([
    ['the finest bitmap', 'v1.apk', { type: 'image/png', width: 96, height: 96 }],
    ['the finest bitmap beside layers', 'adaptive.apk', { type: 'image/png', width: 144, height: 144 }],
    ['the upper layer where there are only layers', 'layers.apk', { type: 'image/webp', width: 162, height: 162 }],
  ])('has an icon: %s', async (_, name, picture) => {
    const { icon } = await read(name)
    expect(icon).toMatchObject(picture)
    expect(icon?.bytes.length).toBeGreaterThan(20)
  })

  it('has none where it is drawn, and where it names none', async () => {
    expect((await read('drawn.apk')).icon).toBeNull()
    expect((await read('bare.apk')).icon).toBeNull()
  })

  it('has no icon that would fill a screen a thousand times, and none that is something else', async () => {
    const zip = await openZip(sourceOf(fixture('v1.apk')))
    const rebuilt = async (change: (picture: Buffer) => Buffer) => {
      const parts: Part[] = []
      for (const entry of zip.entries) {
        const content = await readEntry(zip, entry, entry.size)
        parts.push({ name: entry.name, content: entry.name.endsWith('.png') ? change(Buffer.from(content)) : content })
      }
      return readParts(parts)
    }
    expect((await rebuilt((picture) => picture)).icon).toMatchObject({ width: 96 })
    const flood = await rebuilt((picture) => {
      picture.writeUInt32BE(65_535, 16)
      picture.writeUInt32BE(65_535, 20)
      return picture
    })
    expect(flood.icon).toBeNull()
    expect((await rebuilt(() => Buffer.from('<svg onload="alert(1)"/>'.padEnd(100)))).icon).toBeNull()
  })

  it('is told by a code of two halves, and says that it is for tests', async () => {
    expect(await read('debug.apk')).toMatchObject({
      versionCode: 2n * 2n ** 32n + 7n,
      versionName: 'Harbour Kiosk',
      debuggable: true,
      testOnly: true,
    })
  })

  it('says that it is a part, or needs parts', async () => {
    expect(await read('split.apk')).toMatchObject({ split: 'config.zh', needsSplits: false })
    expect(await read('needs-splits.apk')).toMatchObject({ split: null, needsSplits: true })
  })
})

describe('no app', () => {
  it('is an archive without a manifest', async () => {
    expect(await reasonOf(readParts([{ name: 'classes.dex' }]))).toBe('notAnApk')
  })

  test.each([
    ['plain XML', Buffer.from('<manifest package="com.example.kiosk"/>')],
    ['nothing', Buffer.alloc(0)],
    ['other bytes', Buffer.alloc(1000, 7)],
  ])('has %s as its manifest', async (_, content) => {
    expect(await reasonOf(readParts([{ name: 'AndroidManifest.xml', content }]))).toBe('manifestBroken')
  })

  it('is an archive whose manifest is another file of Android’s', async () => {
    const content = await contentOf('layers.apk', 'res/mipmap-anydpi-v26/icon.xml')
    expect(await reasonOf(readParts([{ name: 'AndroidManifest.xml', content }]))).toBe('manifestBroken')
  })

  it('has a name that Android would not take', async () => {
    const manifest = await contentOf('v1.apk', 'AndroidManifest.xml')
    const name = Buffer.from('com.example.kiosk', 'utf16le')
    const content = Buffer.from(manifest)
    Buffer.from('../../etc/passwd!', 'utf16le').copy(content, manifest.indexOf(name))
    expect(manifest.indexOf(name)).toBeGreaterThan(0)
    expect(await reasonOf(readParts([{ name: 'AndroidManifest.xml', content }]))).toBe('packageNameWrong')
  })

  it('has resources that cannot be read', async () => {
    const content = await contentOf('v1.apk', 'AndroidManifest.xml')
    const parts = [
      { name: 'AndroidManifest.xml', content },
      { name: 'resources.arsc', content: 'x'.repeat(100) },
    ]
    expect(await reasonOf(readParts(parts))).toBe('resourcesBroken')
  })

  it('does not keep a name with turned letters and line ends', async () => {
    const manifest = await contentOf('adaptive.apk', 'AndroidManifest.xml')
    const utf16 = (text: string) => Buffer.from(text, 'utf16le')
    const content = Buffer.from(manifest)
    const at = manifest.indexOf(utf16('Kiosk'))
    expect(at).toBeGreaterThan(0)
    utf16('\u202eo\n\0k').copy(content, at)
    expect((await readParts([{ name: 'AndroidManifest.xml', content }])).label.default).toBe('o k')
  })
})
