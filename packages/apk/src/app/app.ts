import { refusing } from '../android/chunks.ts'
import { noResources, type Resources, readResources, type Variant } from '../android/resources.ts'
import { isInteger, isReference, type Value } from '../android/values.ts'
import { Refusal } from '../refusal.ts'
import { readEntry } from '../zip/content.ts'
import type { Zip } from '../zip/zip.ts'
import { findIcon, type Icon } from './icon.ts'
import { type Label, labelOf } from './label.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { tidy } from './texts.ts'

/** What an app says of itself. None of it is proven by being read: who signed it is told by `verifySigning`. */
export interface App {
  readonly packageName: string
  /** Decides which of two versions is newer: the major code is its upper half. */
  readonly versionCode: bigint
  /** For people; none where the app has none. */
  readonly versionName: string | null
  readonly label: Label
  /** None where the app has no bitmap. */
  readonly icon: Icon | null
  readonly permissions: readonly string[]
  /** None where it is an Android that has no number yet. */
  readonly minSdk: number | null
  readonly targetSdk: number | null
  readonly debuggable: boolean
  readonly testOnly: boolean
  /** The name of the part of an app that this is: it cannot be installed by itself. */
  readonly split: string | null
  /** It cannot be installed without other parts. */
  readonly needsSplits: boolean
}

export const manifestName = 'AndroidManifest.xml'
const resourcesName = 'resources.arsc'
const largestManifest = 4 * 1024 * 1024
const largestResources = 64 * 1024 * 1024
const longestVersion = 128

const plain = { language: '', country: '', script: '', density: 0, conditions: 0 }

/** Every variant of a value; a value that stands in the manifest itself is the only one. */
function variantsOf(value: Value | undefined, resources: Resources): readonly Variant[] {
  if (!value) return []
  return isReference(value) ? resources(value.data) : [{ config: plain, value }]
}

/** The one that is meant where there is no choice: in no language, asking nothing of the device. */
function plainValue(value: Value | undefined, resources: Resources): Value | undefined {
  const variants = variantsOf(value, resources)
  const isPlain = ({ config }: Variant) => config.language === '' && config.conditions === 0
  return (variants.find(isPlain) ?? variants[0])?.value
}

function sdkOf(value: Value | undefined, otherwise: number): number | null {
  if (!value) return otherwise
  if (isInteger(value)) return value.data
  const text = value.text ?? ''
  return /^\d{1,5}$/.test(text) ? Number(text) : null
}

const isTrue = (value: Value | undefined) => value !== undefined && value.text === undefined && value.data !== 0

function codeOf(value: Value | undefined): bigint {
  if (!value) return 0n
  if (!isInteger(value)) throw new Refusal('manifestBroken')
  return BigInt(value.data)
}

/** What the app in an archive says of itself. */
export async function readApp(zip: Zip): Promise<App> {
  const entry = zip.find(manifestName)
  if (!entry) throw new Refusal('notAnApk')
  const manifest = readManifest(await readEntry(zip, entry, largestManifest))
  const resources = await openResources(zip)
  return describe(zip, manifest, resources)
}

async function openResources(zip: Zip): Promise<Resources> {
  const entry = zip.find(resourcesName)
  if (!entry) return noResources
  const bytes = await readEntry(zip, entry, largestResources)
  const read = refusing('resourcesBroken', () => readResources(bytes))
  return (id) => refusing('resourcesBroken', () => read(id))
}

async function describe(zip: Zip, manifest: Manifest, resources: Resources): Promise<App> {
  const one = (value: Value | undefined) => plainValue(value, resources)
  const code = (codeOf(one(manifest.versionCodeMajor)) << 32n) | codeOf(one(manifest.versionCode))
  const version = one(manifest.versionName)
  const versionName = tidy(version?.text ?? (version && isInteger(version) ? String(version.data) : ''), longestVersion)
  const minSdk = sdkOf(one(manifest.minSdk), 1)
  return {
    packageName: manifest.packageName,
    versionCode: BigInt.asIntN(64, code),
    versionName: versionName === '' ? null : versionName,
    label: labelOf(variantsOf(manifest.label, resources), manifest.packageName),
    icon: (await findIcon(zip, resources, manifest.icons)) ?? null,
    permissions: manifest.permissions,
    minSdk,
    targetSdk: manifest.targetSdk ? sdkOf(one(manifest.targetSdk), 1) : minSdk,
    debuggable: isTrue(one(manifest.debuggable)),
    testOnly: isTrue(one(manifest.testOnly)),
    split: manifest.split === undefined ? null : tidy(manifest.split, longestVersion),
    needsSplits: isTrue(one(manifest.needsSplits)),
  }
}
