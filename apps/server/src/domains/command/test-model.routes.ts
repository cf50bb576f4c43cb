import { AppError, deviceErrors, testModel } from '@campanile/contract'
import { sql } from 'kysely'
import type { Call } from '../../kit/call.ts'
import { mountPlain, plainTable } from '../../kit/plain.ts'
import type { Kit } from '../../kit/route.ts'
import { findRow } from '../../kit/rows.ts'
import { resolveTarget } from './target.ts'
import type { TaskService } from './task.service.ts'

const testModelTable = plainTable(testModel, {
  joins: sql`left join command c on c.id = t.last_command_id`,
  columns: {
    lastRun: sql`c.create_time`,
    lastState: sql`c.state`,
    lastResult: sql`coalesce(left(c.result::text, 5000), c.reason)`,
  },
})

/** A bench: one command to one device that is there, its raw answer beside it. */
export const mountTestModels = (kit: Kit, tasks: TaskService) => {
  const run = async (call: Call<{ id: number }>) => {
    const { db, actor, scope, input } = call
    const bench = await findRow(db, testModelTable, scope, input.id)
    const given = await tasks.orderMessage(actor, bench.command, bench.payload)
    const devices = await resolveTarget(db, given.scope, { sns: [bench.sn] })
    if (!devices[0]?.online) throw new AppError(deviceErrors.offline, { sn: bench.sn })
    const made = await tasks.issue(call, given, devices, { kind: 'task', name: bench.model })
    await sql`update test_model set last_command_id = (select id from command where task_id = ${made.id})
      where id = ${bench.id}`.execute(db)
    return made
  }
  mountPlain(kit, testModelTable, { actions: { run } })
}
