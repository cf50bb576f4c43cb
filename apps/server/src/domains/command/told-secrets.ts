import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { StoredArgs, TaskArgs } from './task-args.ts'

const keptMs = 24 * 60 * 60_000
const devicesMax = 50_000
const wordsMax = 32

interface Told {
  words: readonly string[]
  until: number
}

/**
 * Which secrets devices were told within a day, so that nothing they say repeats them. At hand in memory: whatever a device
 * says is compared, and most were told none.
 */
export const createToldSecrets = (taskArgs: Pick<TaskArgs, 'secretsOf'>, now = Date.now) => {
  const told = new Map<string, Told>()

  const note = (sn: string, task: StoredArgs) => {
    if (!task.sealed) return
    const words = taskArgs.secretsOf(task)
    if (words.length === 0) return
    const before = told.get(sn)?.words ?? []
    told.delete(sn)
    // The newest last, so that the oldest is what there is no room for.
    told.set(sn, { words: [...new Set([...before, ...words])].slice(-wordsMax), until: now() + keptMs })
    const [oldest] = told.keys()
    if (told.size > devicesMax && oldest !== undefined) told.delete(oldest)
  }

  return {
    note,
    of: (sn: string): readonly string[] => {
      const known = told.get(sn)
      if (!known) return []
      if (known.until > now()) return known.words
      told.delete(sn)
      return []
    },
    /** What was told before this server started. */
    load: async (db: Db): Promise<void> => {
      const { rows } = await sql<StoredArgs & { sn: string }>`select c.sn, k.id, k.args, k.sealed_args as sealed
        from device_task k join command c on c.task_id = k.id
        where k.sealed_args is not null and c.state <> 'queued'
          and c.update_time > now() - ${keptMs / 1000} * interval '1 second'
        order by c.update_time desc limit ${devicesMax}`.execute(db)
      for (const { sn, ...task } of rows.reverse()) note(sn, task)
    },
  }
}

export type ToldSecrets = ReturnType<typeof createToldSecrets>
