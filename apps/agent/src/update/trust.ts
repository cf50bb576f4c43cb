import type { DeviceFault } from '@campanile/contract'
import { fileFault, type Manifest, type ManifestFault, type ManifestKind, verifyManifest } from '@campanile/manifest'
import { UpdateFailed } from './fault.ts'
import type { FileToFetch } from './fetch.ts'

const words: Partial<Record<ManifestFault, DeviceFault>> = {
  signatureDiffers: 'signatureDiffers',
  expired: 'manifestExpired',
  modelDiffers: 'modelDiffers',
}

export interface Promised {
  readonly kind: ManifestKind
  readonly version: string
  readonly manifest: string
  readonly file: FileToFetch
}

/**
 * Nothing is fetched, and nothing on the machine is touched, before the installation's own signature says that this very
 * file is that version for this model. What the command says besides counts for nothing where the manifest says other.
 */
export const trust = (key: string, { kind, version, manifest: text, file }: Promised, model: string, now: number) => {
  const answer = verifyManifest(key, text, { now: new Date(now), kind, model })
  if (!answer.ok) {
    const word = words[answer.fault]
    throw word ? new UpdateFailed(word) : new UpdateFailed('manifestInvalid', answer.fault)
  }
  const { manifest } = answer
  if (manifest.version !== version)
    throw new UpdateFailed('manifestInvalid', `it is for version ${manifest.version}, ${version} was named`)
  const fault = fileFault(manifest, file)
  if (fault) throw new UpdateFailed(fault, 'the command and the manifest name different files')
  return manifest satisfies Manifest
}
