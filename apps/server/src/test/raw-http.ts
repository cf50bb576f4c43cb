import { connect, type Socket } from 'node:net'

/** A connection that says exactly what it is told, when it is told, and keeps what comes back. */
export interface RawConnection {
  readonly socket: Socket
  write(text: string | Buffer): void
  /** Everything that came back, once the other side has ended. */
  readonly ended: Promise<string>
  /** The first answer's status and code, as soon as it is there or the connection has ended without one. */
  readonly answered: Promise<{ status: number; code: number }>
}

const read = (text: string) => ({
  status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0),
  code: Number(/"code":(\d+)/.exec(text)?.[1] ?? 0),
})

export const openRaw = (port: number): RawConnection => {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  let tell: (answer: { status: number; code: number }) => void = () => undefined
  const answered = new Promise<{ status: number; code: number }>((resolve) => {
    tell = resolve
  })
  const ended = new Promise<string>((resolve) => {
    socket.on('data', (chunk) => {
      text += chunk
      if (text.includes('"code":') || /^HTTP\/1\.1 408/.test(text)) tell(read(text))
    })
    // A connection that is cut while we write is an end like any other.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      tell(read(text))
      resolve(text)
    })
  })
  return { socket, write: (sent) => void (socket.writable && socket.write(sent)), ended, answered }
}

export const headersOf = (method: string, path: string, headers: Readonly<Record<string, string | number>>): string =>
  `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`
