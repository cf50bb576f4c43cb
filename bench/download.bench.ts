/**
 * Many devices that fetch one file at the same time by their links, against nginx that sends the same file from the same disk to
 * the same clients; and the server's memory meanwhile. `MIB=100 DEVICES=200`; `NGINX` names the program.
 */
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDownloads } from '../apps/server/src/domains/file/download.ts'
import { figure, machine } from './installation.ts'
import { startProduct } from './product.ts'

const mebibytes = Number(process.env.MIB ?? 100)
const devices = Number(process.env.DEVICES ?? 200)
const size = mebibytes * 2 ** 20

/** One device: asks once, reads into a buffer that all share, and counts. */
const fetchOnce = (port: number, path: string) =>
  new Promise<void>((resolve, reject) => {
    let heard = 0
    let head = ''
    let end = Infinity
    const socket = connect({
      port,
      host: '127.0.0.1',
      onread: {
        buffer: shared,
        callback: (bytes) => {
          heard += bytes
          if (end === Infinity) {
            head += shared.subarray(0, bytes).toString('latin1')
            const at = head.indexOf('\r\n\r\n')
            if (at > 0) end = at + 4 + size
            if (!/^HTTP\/1.1 200/.test(head)) socket.destroy(new Error(head.slice(0, 200)))
          }
          if (heard >= end) socket.destroy()
          return true
        },
      },
    })
    socket.on('error', reject)
    socket.on('close', () => (heard === end ? resolve() : reject(new Error(`${heard} of ${end} bytes`))))
    socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`)
  })
const shared = Buffer.allocUnsafe(256 * 1024)
const fetchAll = async (port: number, path: string) => {
  const start = performance.now()
  await Promise.all(Array.from({ length: devices }, () => fetchOnce(port, path)))
  return (performance.now() - start) / 1000
}

const freePort = async () => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  return typeof address === 'object' && address ? address.port : 0
}
const startNginx = async (folder: string) => {
  const port = await freePort()
  const settings = join(folder, 'nginx.conf')
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  await writeFile(
    settings,
    `daemon off; pid ${folder}/pid; error_log ${folder}/log; worker_processes 1; events { worker_connections 1024; }
    http { access_log off; sendfile on; tcp_nopush on; ${places.join(' ')} server { listen 127.0.0.1:${port}; root ${folder}; } }`,
  )
  const child = spawn(process.env.NGINX ?? '/usr/sbin/nginx', ['-c', settings], { stdio: 'inherit' })
  for (let tries = 0; tries < 100; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/none`).catch(() => undefined)
    if (answer) break
    await sleep(100)
  }
  const stop = async () => {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  return { port, stop }
}

const product = await startProduct({ profile: process.env.PROFILE })
const folder = await mkdtemp(join(tmpdir(), 'campanile-bench-download-'))
// nginx serves as somebody else.
await chmod(folder, 0o755)
try {
  const bytes = randomBytes(size)
  await writeFile(join(folder, 'file.bin'), bytes)
  const client = await product.signIn()
  const begun = await client.call<{ id: number; chunkSize: number; chunkCount: number }>(
    'POST',
    '/api/v3/file/upload/begin',
    {
      body: {
        purpose: 'resource',
        name: 'file.bin',
        size,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      },
    },
  )
  for (let part = 0; part < begun.chunkCount; part++) {
    const own = bytes.subarray(part * begun.chunkSize, (part + 1) * begun.chunkSize)
    const md5 = createHash('md5').update(own).digest('hex')
    await client.put('/api/v3/file/upload/part', own, { query: { id: begun.id, part, md5 } })
  }
  await client.call('POST', '/api/v3/file/upload/finish', { body: { id: begun.id } })
  const found = await product.owner.query('select content_id::int as id from upload where id = $1', [begun.id])
  const clock = { now: () => new Date() }
  const { linkFor } = createDownloads({ clock, secrets: product.secrets } as Parameters<typeof createDownloads>[0])
  const link = linkFor(found.rows[0].id, Date.now() / 1000 + 3600)
  const port = Number(new URL(product.url).port)
  await fetchOnce(port, link)

  const nginx = await startNginx(folder)
  await fetchOnce(nginx.port, '/file.bin')
  const before = product.memory().server
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, product.memory().server)
  }, 200)
  const usedBefore = product.used().server
  const ours = await fetchAll(port, link)
  const used = product.used().server - usedBefore
  clearInterval(watch)
  const theirs = await fetchAll(nginx.port, '/file.bin')
  await nginx.stop()

  const all = (devices * mebibytes) / 1024
  console.log(`${machine()}, load ${figure(loadavg()[0] ?? 0)}\n${devices} devices, ${mebibytes} MiB each\n`)
  console.log(
    '| s | GiB/s | nginx, s | GiB/s | ratio | server, s of processor | extra memory at its peak, MiB |\n|---|---|---|---|---|---|---|',
  )
  console.log(
    `| ${figure(ours)} | ${figure(all / ours, 2)} | ${figure(theirs)} | ${figure(all / theirs, 2)} | ${figure(theirs / ours, 2)} | ${figure(used)} | ${figure(peak - before, 0)} |`,
  )
} finally {
  await product.stop()
  await rm(folder, { recursive: true, force: true })
}
