import { execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, test } from 'vitest'
import { fileFault, type Manifest, signManifest, verifyManifest } from './manifest.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const other = generateKeyPairSync('ed25519')
const now = new Date('2026-11-16T12:00:00Z')
const later = now.getTime() / 1000 + 3600
const wanted = { now, kind: 'firmware', model: 'T30' } as const
const bytes = Buffer.from('the new system')
const manifest: Manifest = {
  kind: 'firmware',
  name: 'T30_4G_10_3.2.0_1.img',
  version: '3.2.0',
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  models: ['T20', 'T30'],
  expires: later,
}
const line = signManifest(privateKey, manifest)
/** Signed by us, whatever it says. */
const signed = (value: unknown) => {
  const body = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
  return `${body}.${sign(null, Buffer.from(body), privateKey).toString('base64url')}`
}

describe('a manifest', () => {
  it('comes back as it was signed, for full and for differential packages', () => {
    expect(verifyManifest(publicKey, line, wanted)).toEqual({ ok: true, manifest })
    const differential = { ...manifest, base: '3.1.0' }
    const answer = verifyManifest(publicKey, signManifest(privateKey, differential), wanted)
    expect(answer).toEqual({ ok: true, manifest: differential })
  })

  it('of an app may be for every model', () => {
    const app: Manifest = { ...manifest, kind: 'app', models: [] }
    expect(verifyManifest(publicKey, signManifest(privateKey, app), { ...wanted, kind: 'app' })).toMatchObject({
      ok: true,
    })
  })

  test.each([
    ['no models', { models: [] }],
    ['a digest of another kind', { sha256: 'abc' }],
    ['nothing in the file', { size: 0 }],
    ['no end', { expires: Number.POSITIVE_INFINITY }],
  ])('is not signed with %s', (_, wrong) => {
    expect(() => signManifest(privateKey, { ...manifest, ...wrong })).toThrow()
  })

  test.each([
    ['older format', 'formatUnknown', signed({ ...manifest, format: 0 })],
    ['newer format', 'formatUnknown', signed({ ...manifest, format: 2 })],
    ['no format', 'contentWrong', signed(manifest)],
    ['no models', 'contentWrong', signed({ ...manifest, format: 1, models: [] })],
    ['no JSON', 'contentWrong', signed('{')],
    ['another model', 'modelDiffers', signManifest(privateKey, { ...manifest, models: ['T20'] })],
    ['another kind', 'kindDiffers', signManifest(privateKey, { ...manifest, kind: 'app' })],
    ['expired', 'expired', signManifest(privateKey, { ...manifest, expires: now.getTime() / 1000 })],
    ['wrong key', 'signatureDiffers', signManifest(other.privateKey, manifest)],
    ['no signature', 'malformed', line.slice(0, line.indexOf('.'))],
    ['an empty signature', 'malformed', line.slice(0, line.indexOf('.') + 1)],
    ['three parts', 'malformed', `${line}.x`],
    ['another way to write the same bytes', 'malformed', line.replace('.', '=.')],
    ['nothing', 'malformed', ''],
    ['too much', 'malformed', `${'A'.repeat(100_000)}.AAAA`],
  ])('is refused: %s', (_, fault, text) => {
    expect(verifyManifest(publicKey, text, wanted)).toEqual({ ok: false, fault })
  })

  it('is refused with any byte of it changed', () => {
    for (let at = 0; at < line.length; at++) {
      const changed = `${line.slice(0, at)}${line[at] === 'A' ? 'B' : 'A'}${line.slice(at + 1)}`
      expect([at, verifyManifest(publicKey, changed, wanted).ok]).toEqual([at, false])
    }
  })
})

it('a file fits its manifest by length and digest', () => {
  const { size, sha256 } = manifest
  expect(fileFault(manifest, { size, sha256 })).toBeNull()
  expect(fileFault(manifest, { size: size + 1, sha256 })).toBe('sizeDiffers')
  expect(fileFault(manifest, { size, sha256: '0'.repeat(64) })).toBe('digestDiffers')
})

describe.each([
  ['verify-manifest.mjs', process.execPath],
  ['verify-manifest.sh', 'sh'],
])('the example for makers of devices: %s', (example, program) => {
  const folder = mkdtempSync(join(tmpdir(), 'campanile-manifest-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const expires = Math.floor(Date.now() / 1000) + 3600
  const put = (name: string, content: string | Buffer) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const key = put('key.pem', publicKey.export({ type: 'spki', format: 'pem' }))
  const run = (text: string, content: Buffer, model = 'T30') => {
    const args = [`docs/examples/${example}`, key, put('manifest', text), put('file', content), 'firmware', model]
    try {
      return execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe' }).trim()
    } catch (error) {
      return error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error)
    }
  }

  it('takes what an agent takes, and refuses what it refuses', () => {
    const fresh = signManifest(privateKey, { ...manifest, expires })
    expect(run(fresh, bytes)).toBe('firmware T30_4G_10_3.2.0_1.img 3.2.0 is right')
    expect(run(fresh, Buffer.from('the old system'))).toBe('refused: the file differs')
    expect(run(fresh, bytes, 'T40')).toBe('refused: another model')
    expect(run(signManifest(privateKey, { ...manifest, expires: 1 }), bytes)).toBe('refused: expired')
    expect(run(signManifest(other.privateKey, manifest), bytes)).toBe('refused: wrong signature')
    expect(run('what.is.this', bytes)).toBe('refused: this is no manifest')
  })
})
