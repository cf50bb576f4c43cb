import { refusing } from '../android/chunks.ts'
import { anyDensity, noDensity } from '../android/config.ts'
import type { Resources, Variant } from '../android/resources.ts'
import { isReference, type Value } from '../android/values.ts'
import { type Element, readElements } from '../android/xml.ts'
import { readEntry } from '../zip/content.ts'
import type { Zip } from '../zip/zip.ts'
import { type PictureSize, pictureOf } from './picture.ts'

export interface Icon extends PictureSize {
  readonly bytes: Buffer
}

const largestIcon = 1024 * 1024
const widestIcon = 2048
const mostTried = 24
const drawable = 0x01010199
/** The plain density; what says none is drawn for it. */
const plainDensity = 160

const densityOf = ({ config: { density } }: Variant) =>
  density === 0 || density === noDensity || density === anyDensity ? plainDensity : density

/** Files an icon may lie in: the finest first, those for night or other special cases last. */
const filesOf = (variants: readonly Variant[]) =>
  [...variants]
    .sort((a, b) => a.config.conditions - b.config.conditions || densityOf(b) - densityOf(a))
    .flatMap(({ value }) => value.text ?? [])
    .slice(0, mostTried)

const isBinaryXml = (bytes: Buffer) => bytes.length > 8 && bytes.readUInt32LE(0) === 0x00080003

/** An icon of two layers is drawn by the device. Its upper layer may be a picture, and is better than none. */
function foregroundOf(bytes: Buffer): number | undefined {
  try {
    const elements: Element[] = refusing('resourcesBroken', () => [...readElements(bytes)])
    const value = elements.find(({ name }) => name === 'foreground')?.attribute(drawable)
    return value && isReference(value) ? value.data : undefined
  } catch {
    // A drawing nobody can read is no reason to refuse an app.
    return undefined
  }
}

/** The best bitmap that one of these values leads to. */
export async function findIcon(zip: Zip, resources: Resources, values: readonly Value[]): Promise<Icon | undefined> {
  const queue = values.flatMap((value) => (isReference(value) ? filesOf(resources(value.data)) : (value.text ?? [])))
  const layers: string[] = []
  const tried = new Set<string>()
  for (let file = queue.shift() ?? layers.shift(); file !== undefined; file = queue.shift() ?? layers.shift()) {
    const entry = tried.size < mostTried && !tried.has(file) ? zip.find(file) : undefined
    tried.add(file)
    if (!entry || entry.isFolder || entry.size > largestIcon) continue
    const bytes = await readEntry(zip, entry, largestIcon)
    const picture = pictureOf(bytes)
    if (picture && isReasonable(picture)) return { ...picture, bytes }
    const foreground = isBinaryXml(bytes) ? foregroundOf(bytes) : undefined
    if (foreground !== undefined) layers.push(...filesOf(resources(foreground)))
  }
  return undefined
}

const isReasonable = ({ width, height }: PictureSize) =>
  width > 0 && height > 0 && width <= widestIcon && height <= widestIcon
