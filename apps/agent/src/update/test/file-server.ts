import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Files with ranges and a tag, on a line that can break. */
export interface FileServer {
  readonly url: string
  readonly tag: string
  /** The range each request asked for. */
  readonly asked: (string | undefined)[]
  /** Breaks every answer off after so many bytes. */
  cutAfter: number | undefined
  /** Answers so many requests with 503. */
  busy: number
  close(): Promise<void>
}

export const startFileServer = async (files: Readonly<Record<string, Buffer>>): Promise<FileServer> => {
  const tag = '"the only one"'
  const asked: (string | undefined)[] = []
  const http = createServer((request, response) => {
    if (server.busy > 0) {
      server.busy -= 1
      return response.writeHead(503).end()
    }
    const { range, 'if-range': wanted } = request.headers
    asked.push(range)
    const content = files[request.url ?? '']
    if (!content) return response.writeHead(request.url === '/over' ? 403 : 404).end()
    const isPart = range !== undefined && (wanted === undefined || wanted === tag)
    const from = isPart ? Number(/bytes=(\d+)-/.exec(range)?.[1]) : 0
    response.writeHead(isPart ? 206 : 200, {
      etag: tag,
      'content-length': content.length - from,
      ...(isPart && { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` }),
    })
    const rest = content.subarray(from)
    if (server.cutAfter === undefined || rest.length <= server.cutAfter) return response.end(rest)
    response.write(rest.subarray(0, server.cutAfter), () => setTimeout(() => request.socket.destroy(), 20))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const server: FileServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    tag,
    asked,
    cutAfter: undefined,
    busy: 0,
    close: () => {
      http.closeAllConnections()
      return new Promise((resolve) => http.close(() => resolve()))
    },
  }
  return server
}
