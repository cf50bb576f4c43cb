import { createInterface } from 'node:readline'
import { defineDeviceEvent, toggle } from '@campanile/contract/kit'
import { sql } from 'kysely'
import pino from 'pino'
import { Registry } from 'prom-client'
import { createCrashNotes } from '../domains/device/crash-notes.ts'
import { createDeviceMeters } from '../domains/device/device.meters.ts'
import { createEventTakers } from '../domains/device/event-takers.ts'
import { createIngest } from '../domains/device/ingest.ts'
import { createPresence } from '../domains/device/presence.ts'
import { createDb } from '../platform/db.ts'

/**
 * The server's way into the database in a process of its own, which a reply with the error "die", or an event that is deadly
 * to the room that takes it, ends as a fault in the code would. Batches come as lines of JSON; the places of what was refused go back.
 */
const [folder = '', connection = '{}'] = process.argv.slice(2)
const { db } = createDb(JSON.parse(connection))
const log = pino(pino.destination({ dest: 2, sync: true }))
const notes = createCrashNotes(folder, log)
notes.start()
const end = () => process.kill(process.pid, 'SIGKILL')
const takers = createEventTakers()
takers.add(
  defineDeviceEvent({ type: 'swung', texts: 'test', meaning: 'a pendulum swung', data: { deadly: toggle() } }),
  async (tx, events) => {
    for (const { deviceId, id, data } of events) {
      await sql`insert into taken (device_id, id) values (${deviceId}, ${id})`.execute(tx)
      if (data.deadly) end()
    }
  },
)
const ingest = createIngest({
  db,
  log,
  notes,
  presence: createPresence(),
  meters: createDeviceMeters(new Registry(), () => 0),
  takers,
  answered: async (_tx, replies) => {
    if (replies.some(({ reply }) => reply.error === 'die')) end()
  },
  refused: (refusals) => console.log(JSON.stringify({ refusals })),
})
for await (const line of createInterface({ input: process.stdin }))
  console.log(JSON.stringify({ faulty: await ingest.store(JSON.parse(line), 0) }))
notes.stop()
await db.destroy()
