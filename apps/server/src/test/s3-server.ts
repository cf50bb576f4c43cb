import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import type { S3Address } from '../platform/s3/address.ts'
import { createS3Client } from '../platform/s3/client.ts'

/** The Python that Debian's packages belong to; another may stand before it on the path. */
const python = '/usr/bin/python3'

/** A real S3 server that is not ours (OpenStack Swift, from Debian), with an empty bucket. */
export const startS3Server = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'campanile-s3-'))
  const identity = { accessKeyId: 'campanile:tester', secretAccessKey: 'secret/of+the=test' }
  const program = join(import.meta.dirname, 's3-server.py')
  const child = spawn(python, [program, folder, identity.accessKeyId, identity.secretAccessKey])
  // A test that fails before it can stop it leaves none behind.
  process.once('exit', () => child.kill('SIGKILL'))
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk
  })
  const ended = once(child, 'exit')
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const { value: port } = (await lines.next()) as { value?: string }
  if (!port) throw new Error(`no S3 server: is swift-proxy of Debian installed? ${said}`)
  const address: S3Address = {
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    bucket: 'campanile',
    prefix: 'here/',
    ...identity,
  }
  const client = createS3Client(address)
  await client.told({ method: 'PUT', headers: { 'content-length': '0' } })
  client.stop()
  return {
    address,
    stop: async () => {
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
