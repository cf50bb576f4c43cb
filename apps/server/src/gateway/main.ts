import { createBroker } from './broker.ts'
import { createListener } from './listener.ts'
import type { ToGateway, ToServer } from './wire.ts'

/** The gateway's own process: a flood of devices keeps this one busy, and never the one that serves people. */
const tell = (message: ToServer) => {
  if (process.connected) process.send?.(message)
}
const broker = createBroker(tell)
let listener: ReturnType<typeof createListener> | undefined

process.on('message', (message: ToGateway) => {
  if (message.say === 'start') {
    const { options } = message
    broker.expectProbe(options.probeHash)
    listener?.stop()
    listener = createListener(options, broker)
    listener.start().then(
      (port) => tell({ say: 'open', port }),
      (error: NodeJS.ErrnoException) => tell({ say: 'closed', code: error.code ?? error.message }),
    )
  } else if (message.say === 'beat') {
    tell({ say: 'alive', beat: message.beat, connected: broker.connected, unknown: listener?.unknown ?? 0 })
    broker.tellRefusals()
  } else broker.hear(message)
})

const lingerMs = 200
let stopping = false
const stop = () => {
  if (stopping) return
  stopping = true
  broker.stop()
  listener?.stop()
  setTimeout(() => process.exit(0), lingerMs)
}
// Without the server nothing can be stored, so nobody must be told that it was.
process.on('disconnect', stop)
process.on('SIGTERM', stop)
// Ctrl-C reaches the whole group; the server ends us in its own time.
process.on('SIGINT', () => undefined)
process.on('SIGHUP', () => undefined)
