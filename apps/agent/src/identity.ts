import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const membership = z.object({
  serverUrl: z.string(),
  username: z.string(),
  password: z.string(),
  mqttUrl: z.string(),
})
/** Where a device belongs and how it proves who it is. */
export type Membership = z.infer<typeof membership>
const identity = membership.extend({
  sn: z.string(),
  privateKey: z.string().optional(),
  /** The server we came from, until the new one has taken our first word. */
  previous: membership.optional(),
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

export const createIdentityStore = (folder: string): IdentityStore => {
  const path = join(folder, 'identity.json')
  return {
    load: async () => {
      const text = await readIfPresent(path)
      return text === undefined ? undefined : identity.parse(JSON.parse(text))
    },
    save: async (value) => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writePrivate(path, `${JSON.stringify(value, null, 2)}\n`)
    },
    forget: () => rm(path, { force: true }),
  }
}
