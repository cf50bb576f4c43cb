import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const membership = z.object({
  serverUrl: z.string(),
  username: z.string(),
  password: z.string(),
  mqttUrl: z.string(),
  /** What the manifests of its releases are verified with. */
  releaseKey: z.string().optional(),
})
/** Where a device belongs and how it proves who it is. */
export type Membership = z.infer<typeof membership>
const identity = membership.extend({
  sn: z.string(),
  privateKey: z.string().optional(),
  /** The other server, while it is open which of the two will have us. */
  previous: membership.optional(),
  /** A code that may have been exchanged without our hearing the answer. */
  joining: z.object({ serverUrl: z.string(), code: z.string() }).optional(),
})
export type Identity = z.infer<typeof identity>

export interface IdentityStore {
  load(): Promise<Identity | undefined>
  save(identity: Identity): Promise<void>
  forget(): Promise<void>
}

/** Written beside and moved into place, so that a power cut leaves the old or the new, never half of one. */
export const writePrivate = async (path: string, text: string): Promise<void> => {
  const file = await open(`${path}.new`, 'w', 0o600)
  try {
    await file.chmod(0o600)
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
}

export const readIfPresent = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })

/** What others could read others may have copied. */
const refuseShared = async (path: string): Promise<void> => {
  const { mode } = await stat(path)
  if ((mode & 0o077) === 0) return
  const shown = (mode & 0o777).toString(8).padStart(3, '0')
  throw new Error(
    `${path} holds this device's password and is open to other users (mode ${shown}). ` +
      `Close it with: chmod 600 '${path}'. If somebody may have read it, join anew with a new code (--force).`,
  )
}

const parse = (path: string, text: string): Identity => {
  try {
    return identity.parse(JSON.parse(text))
  } catch (error) {
    const why =
      error instanceof z.ZodError ? z.prettifyError(error).replace(/\s*\n\s*/g, ' ') : (error as Error).message
    throw new Error(
      `${path} is damaged (${why}). Put back a copy of it, or join anew: make an activation code for this device's ` +
        'serial number in the console, then run join with --force.',
    )
  }
}

export const createIdentityStore = (folder: string): IdentityStore => {
  const path = join(folder, 'identity.json')
  return {
    load: async () => {
      const text = await readIfPresent(path)
      if (text === undefined) return undefined
      await refuseShared(path)
      return parse(path, text)
    },
    save: async (value) => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writePrivate(path, `${JSON.stringify(value, null, 2)}\n`)
    },
    forget: () => rm(path, { force: true }),
  }
}

/**
 * The key a device joins with, on disk before the code is sent: should the answer be lost, the same device may ask again with
 * the same key.
 */
export const keyForJoining = async (folder: string) => {
  const path = join(folder, 'joining.pem')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const kept = await readIfPresent(path)
  const privateKey = kept && publicKeyOf(kept) ? kept : newKey()
  if (privateKey !== kept) await writePrivate(path, privateKey)
  return { privateKey, forget: () => rm(path, { force: true }) }
}

const newKey = () =>
  generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey

export const publicKeyOf = (privateKey: string | undefined): string | undefined => {
  try {
    return privateKey && createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()
  } catch {
    return undefined
  }
}
