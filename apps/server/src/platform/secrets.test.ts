import { constants, createPublicKey, privateDecrypt, publicEncrypt } from 'node:crypto'
import { chmod, cp, mkdir, mkdtemp, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../test/temporary-folder.ts'
import { loadSecrets, type Secrets } from './secrets.ts'

let used: string
let secrets: Secrets
beforeAll(async () => {
  used = await mkdtemp(join(tmpdir(), 'campanile-test-'))
  secrets = await loadSecrets(used)
  return () => rm(used, { recursive: true })
  // An RSA key takes its time on a machine that does other things too.
}, 240_000)

/** A data folder after its first start; making the RSA key each time would take most of a second. */
const usedFolder = async (): Promise<string> => {
  const data = await temporaryFolder()
  await cp(used, data, { recursive: true })
  return data
}

test('the first start writes secrets only their owner can read, and later starts find the same', async () => {
  expect(await loadSecrets(used)).toEqual(secrets)
  expect((await stat(join(used, 'secrets'))).mode & 0o777).toBe(0o700)
  for (const name of await readdir(join(used, 'secrets'))) {
    expect((await stat(join(used, 'secrets', name))).mode & 0o777, name).toBe(0o600)
  }
})

test('two installations share no secret', async () => {
  const [one, two] = [secrets, await loadSecrets(await temporaryFolder())]
  expect(one.sealKey).toHaveLength(32)
  expect(one.signingKey).toHaveLength(32)
  const values = [one, two].flatMap((s) => [
    s.sealKey.toString('hex'),
    s.signingKey.toString('hex'),
    s.passwordKeyPair.privateKeyPem,
    s.database.owner,
    s.database.app,
  ])
  expect(new Set(values).size).toBe(10)
})

test('the password keys are a pair of at least 2048 bits for OAEP', () => {
  const { passwordKeyPair } = secrets
  const oaep = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }
  const sent = publicEncrypt({ key: passwordKeyPair.publicKeyPem, ...oaep }, Buffer.from('Tower-bell-7'))
  expect(privateDecrypt({ key: passwordKeyPair.privateKeyPem, ...oaep }, sent).toString()).toBe('Tower-bell-7')
  expect(createPublicKey(passwordKeyPair.publicKeyPem).asymmetricKeyDetails?.modulusLength).toBeGreaterThanOrEqual(2048)
})

test.each(['seal-key', 'signing-key', 'password-key.pem', 'database-owner', 'database-app'])(
  'a readable, missing or linked %s stops the start',
  async (name) => {
    const data = await usedFolder()
    const path = join(data, 'secrets', name)
    await chmod(path, 0o640)
    await expect(loadSecrets(data)).rejects.toThrow(`${path} can be read by other users: run chmod 600 ${path}.`)
    await rename(path, join(data, 'elsewhere'))
    await expect(loadSecrets(data)).rejects.toThrow(`${path} is missing`)
    await symlink(join(data, 'elsewhere'), path)
    await expect(loadSecrets(data)).rejects.toThrow(`${path} is a symbolic link`)
  },
)

test('a secrets folder open to others stops the start', async () => {
  const data = await usedFolder()
  await chmod(join(data, 'secrets'), 0o755)
  await expect(loadSecrets(data)).rejects.toThrow('run chmod 700')
})

test.each([
  ['seal-key', '0'.repeat(64)],
  ['seal-key', 'ab'.repeat(32)],
  ['seal-key', 'secret'],
  ['signing-key', 'thingsboardDefaultSigningKey'],
  ['signing-key', 'f00d'.repeat(8)],
  ['database-app', 'changeme'],
  ['database-owner', 'postgres'],
  ['database-owner', 'xyxyxyxyxyxyxyxyxyxyxyxy'],
  ['password-key.pem', 'not a key'],
])('%s holding "%s" stops the start', async (name, text) => {
  const data = await usedFolder()
  await writeFile(join(data, 'secrets', name), text)
  await expect(loadSecrets(data)).rejects.toThrow(join(data, 'secrets', name))
})

test('lost secrets are never replaced beside a database they belong to', async () => {
  const data = await usedFolder()
  await mkdir(join(data, 'postgres'))
  await rm(join(data, 'secrets'), { recursive: true })
  await expect(loadSecrets(data)).rejects.toThrow('put the folder back from a backup')
  expect(await readdir(data)).toEqual(['postgres'])
})

test('a crash while the secrets were written leaves a folder that is still new', async () => {
  const data = await temporaryFolder()
  await mkdir(join(data, 'secrets.new'))
  await writeFile(join(data, 'secrets.new', 'seal-key'), '')
  await loadSecrets(data)
  expect(await readdir(data)).toEqual(['secrets'])
})
