import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(import.meta.url)

/** KiB of a process of its own that accepts sockets and does nothing else, for each of them. */
export const measureBareSockets = async (count: number): Promise<number> => {
  const child = fork(here, ['listen'], { execArgv: ['--import', 'tsx', '--expose-gc'] })
  const [port] = (await once(child, 'message')) as [number]
  const memory = async () => {
    child.send('memory')
    const [bytes] = (await once(child, 'message')) as [number]
    return bytes / 1024
  }
  const before = await memory()
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  const after = await memory()
  for (const socket of sockets) socket.destroy()
  child.kill()
  return (after - before) / count
}

if (process.argv[2] === 'listen' && process.argv[1] === here) {
  const held = new Set<unknown>()
  const server = createServer((socket) => {
    held.add(socket.on('data', () => undefined).on('error', () => undefined))
  }).listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => {
    const address = server.address()
    process.send?.(typeof address === 'object' && address ? address.port : 0)
  })
  process.on('message', () => {
    globalThis.gc?.()
    process.send?.(process.memoryUsage().rss)
  })
}
