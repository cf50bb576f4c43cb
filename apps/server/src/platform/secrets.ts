import { createPrivateKey, createPublicKey, generateKeyPair, randomBytes } from 'node:crypto'
import { lstat, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isKnownDefault } from '@campanile/contract'
import { dataPaths, exists, syncFolder } from './data-folder.ts'
import { OperatorError } from './operator-error.ts'

export interface Secrets {
  /** 256 bits; opens what platform/seal.ts sealed. */
  sealKey: Buffer
  /** Browsers encrypt passwords with the public half. */
  passwordKeyPair: { publicKeyPem: string; privateKeyPem: string }
  /** 256 bits; signs what leaves the server and must come back unchanged. */
  signingKey: Buffer
  database: { owner: string; app: string }
}

const files = {
  sealKey: 'seal-key',
  signingKey: 'signing-key',
  passwordKey: 'password-key.pem',
  databaseOwner: 'database-owner',
  databaseApp: 'database-app',
} as const

export async function loadSecrets(dataDir: string): Promise<Secrets> {
  const folder = dataPaths(dataDir).secrets
  if (!(await exists(folder))) await generate(dataDir, folder)
  await refuseOpenMode(folder)

  const read = async (name: string) => {
    const path = join(folder, name)
    if (!(await exists(path))) {
      throw new OperatorError(
        `${path} is missing: put it back from a backup, because what it protects cannot be read without it.`,
      )
    }
    await refuseOpenMode(path)
    return { path, text: (await readFile(path, 'utf8')).trim() }
  }

  const privateKeyPem = readRsaKey(await read(files.passwordKey))
  return {
    sealKey: readKey(await read(files.sealKey)),
    signingKey: readKey(await read(files.signingKey)),
    passwordKeyPair: {
      privateKeyPem,
      publicKeyPem: createPublicKey(privateKeyPem).export({ type: 'spki', format: 'pem' }).toString(),
    },
    database: {
      owner: readPassword(await read(files.databaseOwner)),
      app: readPassword(await read(files.databaseApp)),
    },
  }
}

/** All files appear at once or not at all, so a crash in the middle leaves a folder that is still new. */
async function generate(dataDir: string, folder: string): Promise<void> {
  if (await exists(dataPaths(dataDir).postgres)) {
    throw new OperatorError(
      `${folder} is missing although ${dataDir} holds a database: put the folder back from a backup, or choose an empty CAMPANILE_DATA.`,
    )
  }
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 3072,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const half = `${folder}.new`
  await rm(half, { recursive: true, force: true })
  await mkdir(half, { mode: 0o700, recursive: true })
  const key = () => randomBytes(32).toString('hex')
  const contents: Record<string, string> = {
    [files.sealKey]: key(),
    [files.signingKey]: key(),
    [files.passwordKey]: privateKey.trim(),
    [files.databaseOwner]: randomBytes(24).toString('base64url'),
    [files.databaseApp]: randomBytes(24).toString('base64url'),
  }
  for (const [name, text] of Object.entries(contents)) {
    const file = await open(join(half, name), 'wx', 0o600)
    await file.writeFile(`${text}\n`)
    await file.sync()
    await file.close()
  }
  await rename(half, folder)
  await syncFolder(dataDir)
}

async function refuseOpenMode(path: string): Promise<void> {
  const stat = await lstat(path)
  if (stat.isSymbolicLink()) throw new OperatorError(`${path} is a symbolic link: put the file itself there.`)
  if ((stat.mode & 0o077) !== 0) {
    throw new OperatorError(
      `${path} can be read by other users: run chmod ${stat.isDirectory() ? '700' : '600'} ${path}.`,
    )
  }
}

interface SecretFile {
  path: string
  text: string
}

function readKey({ path, text }: SecretFile): Buffer {
  const key = Buffer.from(text, 'hex')
  if (!/^[0-9a-f]{64}$/i.test(text) || isKnownDefault(text) || new Set(key).size < 8) {
    throw new OperatorError(`${path} does not hold a random 256-bit key: put it back from a backup.`)
  }
  return key
}

function readPassword({ path, text }: SecretFile): string {
  if (text.length < 16 || isKnownDefault(text)) {
    throw new OperatorError(`${path} holds a password that can be guessed: write at least 16 random characters.`)
  }
  return text
}

function readRsaKey({ path, text }: SecretFile): string {
  try {
    const bits = createPrivateKey(text).asymmetricKeyDetails?.modulusLength ?? 0
    if (bits >= 2048) return text
  } catch {
    // Told below, without the parser's own words.
  }
  throw new OperatorError(`${path} does not hold an RSA private key of 2048 bits or more: put it back from a backup.`)
}
