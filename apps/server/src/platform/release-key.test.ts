import { randomBytes } from 'node:crypto'
import { type Manifest, signManifest, verifyManifest } from '@campanile/manifest'
import { expect, it } from 'vitest'
import { createReleaseKey } from './release-key.ts'

const manifest: Manifest = {
  kind: 'app',
  name: 'till.apk',
  version: '1.2',
  size: 3,
  sha256: 'ab'.repeat(32),
  models: [],
  expires: Math.floor(Date.now() / 1000) + 60,
}

it('is the same for the same installation on all its servers, and another for every other', () => {
  const [ours, theirs] = [randomBytes(32), randomBytes(32)]
  const line = signManifest(createReleaseKey(ours).privateKey, manifest)
  const taken = (secret: Buffer) =>
    verifyManifest(createReleaseKey(secret).publicKey, line, { now: new Date(), kind: 'app', model: 'T30' }).ok
  expect(taken(ours)).toBe(true)
  expect(taken(theirs)).toBe(false)
})
