import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

// The same from src and from dist.
const folder = fileURLToPath(new URL('../../console/dist', import.meta.url))
const bundled = existsSync(folder) ? folder : fileURLToPath(new URL('../../../console/dist', import.meta.url))

const rules = { perm: 'public', scope: 'public', module: 'console', logged: null } as const
/** Addresses of the API in any spelling; whatever is wrong with one, it is not a screen. */
const isReserved = (path: string) => /^(api|device\/v1)(\/|$)/i.test(path)
/** An address a person could see in the address bar. Others (doubled slashes, dots, odd characters) lead nowhere. */
const isScreen = (path: string) => /^([\w-][\w:.@-]*(\/[\w-][\w:.@-]*)*\/?)?$/.test(path)
const aYear = 'public, max-age=31536000, immutable'

/** The console's own files: hashed ones for ever, the page itself asked for anew, every screen's address answered by the page. */
export const serveConsole = async (app: FastifyInstance) => {
  await app.register(fastifyStatic, {
    root: bundled,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    index: false,
  })
  app.route({
    method: 'GET',
    url: '/*',
    config: { rules },
    handler: (request, reply) => {
      const path = (request.params as { '*': string })['*']
      if (isReserved(path) || !isScreen(path)) return reply.callNotFound()
      // Packed or not, by what the browser says it can unpack: a cache between must not mix them up.
      reply.header('vary', 'accept-encoding')
      if (path.startsWith('assets/')) return reply.header('cache-control', aYear).sendFile(path)
      const isFile = /^[\w-]+\.(svg|png|ico|webmanifest|txt)$/.test(path)
      return reply.header('cache-control', 'no-cache').sendFile(isFile ? path : 'index.html')
    },
  })
}
