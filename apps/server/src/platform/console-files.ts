import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

// The same from src and from dist.
const folder = fileURLToPath(new URL('../../console/dist', import.meta.url))
const bundled = existsSync(folder) ? folder : fileURLToPath(new URL('../../../console/dist', import.meta.url))

const rules = { perm: 'public', scope: 'public', module: 'console', logged: null } as const
/** Addresses of the API in any spelling; whatever is wrong with one, it is not a screen. */
const isReserved = (path: string) => /^(api|device\/v1)(\/|$)/i.test(path)
/** An address a person could see in the address bar. Others (doubled slashes, dots, odd characters) lead nowhere. */
const isScreen = (path: string) => /^([\w-][\w:.@-]*(\/[\w-][\w:.@-]*)*\/?)?$/.test(path)
const aYear = 'public, max-age=31536000, immutable'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}
const packings = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const

interface Served {
  readonly type: string
  readonly etag: string
  /** Packed forms laid beside it at build. */
  readonly packed: readonly (typeof packings)[number][]
}

/** What was built, by its address. Nothing outside this list is ever opened. */
const listFiles = (from: string): Map<string, Served> => {
  if (!existsSync(from)) return new Map()
  const all = new Set(
    readdirSync(from, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(from, join(entry.parentPath, entry.name)).replaceAll('\\', '/')),
  )
  const files = new Map<string, Served>()
  for (const path of all) {
    const type = types[extname(path)]
    if (!type) continue
    const digest = createHash('sha256')
      .update(readFileSync(join(from, path)))
      .digest('base64url')
      .slice(0, 22)
    files.set(path, { type, etag: digest, packed: packings.filter(({ ending }) => all.has(path + ending)) })
  }
  return files
}

const accepts = (request: FastifyRequest, name: string) =>
  String(request.headers['accept-encoding'] ?? '')
    .split(',')
    .some((each) => new RegExp(`^\\s*${name}\\s*(;\\s*q=(?!0(\\.0*)?\\s*$).+)?$`).test(each))

/** The console's own files: hashed ones for ever, the page itself asked for anew, every screen's address answered by the page. */
export const serveConsole = async (app: FastifyInstance, from = bundled) => {
  const files = listFiles(from)

  const send = async (request: FastifyRequest, reply: FastifyReply, path: string) => {
    const file = files.get(path)
    if (!file) return reply.callNotFound()
    const packing = file.packed.find(({ name }) => accepts(request, name))
    const etag = `"${file.etag}${packing ? `-${packing.name}` : ''}"`
    // Packed or not, by what the browser says it can unpack: a cache between must not mix them up.
    reply.header('vary', 'accept-encoding').header('etag', etag)
    reply.header('cache-control', path.startsWith('assets/') ? aYear : 'no-cache')
    if (request.headers['if-none-match']?.split(/\s*,\s*/).some((each) => each.replace(/^W\//, '') === etag))
      return reply.code(304).send()
    if (packing) reply.header('content-encoding', packing.name)
    return reply.type(file.type).send(await readFile(join(from, path + (packing?.ending ?? ''))))
  }

  app.route({
    method: 'GET',
    url: '/*',
    config: { rules },
    handler: (request, reply) => {
      const path = (request.params as { '*': string })['*']
      if (isReserved(path) || !isScreen(path)) return reply.callNotFound()
      const isFile = path.startsWith('assets/') || /^[\w-]+\.(svg|png|ico|webmanifest|txt)$/.test(path)
      return send(request, reply, isFile ? path : 'index.html')
    },
  })
}
