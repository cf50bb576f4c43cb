import { AppError, type Draft, deviceErrors, type Patch, testModel } from '@campanile/contract'
import { sql } from 'kysely'
import type { Call } from '../../kit/call.ts'
import { mountPlain, plainTable } from '../../kit/plain.ts'
import type { Kit } from '../../kit/route.ts'
import { findRow, insertRow, updateRow } from '../../kit/rows.ts'
import { maskSecrets } from '../../platform/secret-fields.ts'
import { resolveTarget } from './target.ts'
import type { TaskService } from './task.service.ts'
import type { Payloads } from './test-model.payload.ts'

const testModelTable = plainTable(testModel, {
  joins: sql`left join command c on c.id = t.last_command_id`,
  columns: {
    lastRun: sql`c.create_time`,
    lastState: sql`c.state`,
    lastResult: sql`coalesce(left(c.result::text, 5000), c.reason)`,
  },
})

/** A bench: one command to one device that is there, its raw answer beside it. */
export const mountTestModels = (kit: Kit, tasks: TaskService, payloads: Payloads) => {
  /** What could not be run is told when it is entered, not when somebody stands at the bench. */
  const mustRun = async ({ db, actor }: Call, sn: string, command: string, payload: string | null) => {
    const given = await tasks.orderMessage(actor, command, payload)
    await resolveTarget(db, given.scope, { sns: [sn] })
  }

  const create = async (call: Call<Draft<typeof testModel>>) => {
    const { db, scope, input } = call
    const { payload = null } = input
    await mustRun(call, input.sn, input.command, payload)
    const id = await insertRow(db, testModelTable, scope, { ...input, payload: maskSecrets(payload) })
    await payloads.keep(db, id, payload)
    return { id }
  }

  const update = async (call: Call<Patch<typeof testModel>>) => {
    const { db, scope, input } = call
    const { id, payload } = input
    const { sn, command } = await findRow(db, testModelTable, scope, id)
    const kept = payload === undefined ? payloads.find(db, id) : payload && payloads.restored(db, id, payload)
    const whole = await kept
    await mustRun(call, input.sn ?? sn, input.command ?? command, whole)
    if (payload === undefined) await updateRow(call, testModelTable, input)
    else {
      await updateRow(call, testModelTable, { ...input, payload: maskSecrets(whole) })
      await payloads.keep(db, id, whole)
    }
    return {}
  }

  const run = async (call: Call<{ id: number }>) => {
    const { db, actor, scope, input } = call
    const bench = await findRow(db, testModelTable, scope, input.id)
    const given = await tasks.orderMessage(actor, bench.command, await payloads.find(db, bench.id))
    const devices = await resolveTarget(db, given.scope, { sns: [bench.sn] })
    if (!devices[0]?.online) throw new AppError(deviceErrors.offline, { sn: bench.sn })
    const made = await tasks.queue(call, given, devices, {
      name: bench.model,
      origin: { kind: testModel.name, id: bench.id },
    })
    await sql`update test_model set last_command_id = (select id from command where task_id = ${made.id})
      where id = ${bench.id}`.execute(db)
    return made
  }
  mountPlain(kit, testModelTable, { create, update, actions: { run } })
}
