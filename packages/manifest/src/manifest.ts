import { type KeyLike, sign, verify } from 'node:crypto'
import { z } from 'zod'

/** The format we write and the only one we take: what it means does not change under the same number. */
const format = 1
const longestText = 64 * 1024

export const manifestKinds = ['firmware', 'app'] as const
export type ManifestKind = (typeof manifestKinds)[number]

const text = (longest: number) => z.string().min(1).max(longest)
const content = z.object({
  kind: z.enum(manifestKinds),
  name: text(255),
  version: text(128),
  size: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
  /** Of the whole file, 64 hexadecimal digits in lower case. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** The models it is for. An app that names none is for every model; firmware always names them. */
  models: z.array(text(64)).max(100),
  /** The version that a differential package starts from. */
  base: text(128).optional(),
  /** When it is no longer to be taken, in seconds since 1970. */
  expires: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
})
const signed = content
  .extend({ format: z.literal(format) })
  .refine(({ kind, models }) => kind !== 'firmware' || models.length > 0, { path: ['models'] })

/** What is promised about one file. */
export type Manifest = Readonly<z.infer<typeof content>>

/** Why a device takes neither the manifest nor its file, in the order they are looked at. */
export const manifestFaults = [
  'malformed',
  'signatureDiffers',
  'formatUnknown',
  'contentWrong',
  'expired',
  'kindDiffers',
  'modelDiffers',
] as const
export type ManifestFault = (typeof manifestFaults)[number]

export type Verified =
  | { readonly ok: true; readonly manifest: Manifest }
  | { readonly ok: false; readonly fault: ManifestFault }

/** The manifest and its signature (Ed25519) in one line. The signature is over the first part as it is written. */
export function signManifest(privateKey: KeyLike, manifest: Manifest): string {
  const body = Buffer.from(JSON.stringify(signed.parse({ ...manifest, format }))).toString('base64url')
  return `${body}.${sign(null, Buffer.from(body), privateKey).toString('base64url')}`
}

const failed = (fault: ManifestFault): Verified => ({ ok: false, fault })

/** Exactly one way to write the same bytes is taken. */
function decode(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, 'base64url')
  return bytes.toString('base64url') === part ? bytes : undefined
}

function readJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

/** What a device asks of a manifest: all of it, so that none of the questions can be forgotten. */
export interface Wanted {
  readonly now: Date
  readonly kind: ManifestKind
  readonly model: string
}

/** Nothing of a manifest is read before its signature is right. */
export function verifyManifest(publicKey: KeyLike, text: string, { now, kind, model }: Wanted): Verified {
  const [first = '', second = '', ...more] = text.length <= longestText ? text.split('.') : []
  const body = decode(first)
  const signature = decode(second)
  if (!body?.length || !signature?.length || more.length > 0) return failed('malformed')
  if (!verify(null, Buffer.from(first), publicKey, signature)) return failed('signatureDiffers')
  const json = readJson(body)
  const told = z.object({ format: z.number() }).safeParse(json)
  if (!told.success) return failed('contentWrong')
  if (told.data.format !== format) return failed('formatUnknown')
  const read = signed.safeParse(json)
  if (!read.success) return failed('contentWrong')
  const { format: _, ...manifest } = read.data
  if (manifest.expires * 1000 <= now.getTime()) return failed('expired')
  if (manifest.kind !== kind) return failed('kindDiffers')
  if (manifest.models.length > 0 && !manifest.models.includes(model)) return failed('modelDiffers')
  return { ok: true, manifest }
}

/** What is wrong with a file that came with a manifest, by its length and digest. */
export const fileFault = (
  manifest: Manifest,
  file: { readonly size: number; readonly sha256: string },
): 'sizeDiffers' | 'digestDiffers' | null =>
  file.size !== manifest.size ? 'sizeDiffers' : file.sha256 === manifest.sha256 ? null : 'digestDiffers'
