import { AppError, type CommandName, commandErrors, commands, deviceErrors, testModel } from '@campanile/contract'
import { sql } from 'kysely'
import type { Call } from '../../kit/call.ts'
import { ofDepartment } from '../../kit/department.ts'
import { byDefault, mount } from '../../kit/mount.ts'
import type { Kit } from '../../kit/route.ts'
import { findRow } from '../../kit/rows.ts'
import { bindTable } from '../../kit/table.ts'
import { resolveTarget } from './target.ts'
import type { TaskService } from './task.service.ts'

const place = ofDepartment()

const testModelTable = bindTable(testModel, {
  name: 'test_model',
  joins: sql`${place.joins} left join command c on c.id = t.last_command_id`,
  columns: {
    ...place.columns,
    lastRun: sql`c.create_time`,
    lastState: sql`c.state`,
    lastResult: sql`coalesce(left(c.result::text, 5000), c.reason)`,
  },
  filters: place.filters,
  path: place.path,
})

const isCommand = (name: string): name is CommandName => Object.hasOwn(commands, name)

const readPayload = (text: string | null): Record<string, unknown> => {
  if (!text) return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Told below like everything else that is no object.
  }
  throw new AppError(commandErrors.payloadInvalid)
}

/** A bench: one command to one device that is there, its raw answer beside it. */
export const mountTestModels = (kit: Kit, tasks: TaskService) => {
  const run = async (call: Call<{ id: number }>) => {
    const { db, actor, scope, input } = call
    const bench = await findRow(db, testModelTable, scope, input.id)
    // A name that is no command of ours is sent as it is, for makers who try something new.
    const given = isCommand(bench.command)
      ? await tasks.order(actor, bench.command, readPayload(bench.payload))
      : await tasks.order(actor, 'custom', { payload: { command: bench.command, ...readPayload(bench.payload) } })
    const devices = await resolveTarget(db, given.scope, { sns: [bench.sn] })
    if (!devices[0]?.online) throw new AppError(deviceErrors.offline, { sn: bench.sn })
    const made = await tasks.issue(call, given, devices, { kind: 'task', name: bench.model })
    await sql`update test_model set last_command_id = (select id from command where task_id = ${made.id})
      where id = ${bench.id}`.execute(db)
    return made
  }
  mount(kit, testModelTable, {
    list: byDefault,
    create: byDefault,
    update: byDefault,
    remove: byDefault,
    actions: { run },
  })
}
