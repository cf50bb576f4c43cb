export {
  fileFault,
  type Manifest,
  type ManifestFault,
  type ManifestKind,
  manifestFaults,
  manifestKinds,
  signManifest,
  verifyManifest,
} from './manifest.ts'
