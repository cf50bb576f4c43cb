import { createCodes } from '@campanile/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { Follow } from '../../platform/outbox.ts'
import type { Services } from '../../services.ts'
import type { deviceTransferred } from '../device/index.ts'
import { holdersAt } from '../identity/index.ts'

type Transferred = ReturnType<(typeof deviceTransferred)['data']['parse']>

/** Somebody joined as a device that was bound, and its old password ended: whoever makes codes there knows whether they meant it. */
export const tellOfReturn = async (
  tx: Db,
  notify: Services['notify'],
  { sn, departmentId }: { readonly sn: string; readonly departmentId: number },
) => {
  const { rows } = await sql<{ path: string }>`select path::text as path from department
    where id = ${departmentId}`.execute(tx)
  const people = rows[0] ? await holdersAt(tx, createCodes.perm, rows[0].path) : []
  await notify.notify(tx, people, {
    type: 'alert',
    word: 'deviceJoinedAgain',
    data: { sn },
    link: `/device/list/detail/${encodeURIComponent(sn)}`,
  })
}

/** What comes from another enterprise stays silent until it is activated: whoever makes codes there is told of it. */
export const askForActivation =
  ({ notify }: Services): Follow<Transferred> =>
  async (tx, events) => {
    for (const { departmentId, arrived, userId } of events.map(({ data }) => data)) {
      if (arrived.length === 0) continue
      const { rows } = await sql<{ name: string; path: string }>`select name, path::text as path from department
        where id = ${departmentId}`.execute(tx)
      const target = rows[0]
      if (!target) continue
      const people = await holdersAt(tx, createCodes.perm, target.path)
      await notify.notify(
        tx,
        people.filter((id) => id !== userId),
        {
          type: 'alert',
          word: 'devicesArrived',
          data: { count: arrived.length, department: target.name },
          link: '/activation/code',
        },
      )
    }
  }
