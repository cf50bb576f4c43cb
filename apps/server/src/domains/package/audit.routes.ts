import { appAudit } from '@campanile/contract'
import { moveRows } from '../../kit/action.ts'
import type { Call } from '../../kit/call.ts'
import { mountPlain } from '../../kit/plain.ts'
import type { Kit } from '../../kit/route.ts'
import { touchRows } from '../../kit/touched.ts'
import { noteReview } from './app.store.ts'
import { audits } from './package.tables.ts'

type Step = keyof typeof appAudit.actions

/** What those who keep the store decide about an app, and why. */
export const mountAudit = (kit: Kit) => {
  const decide = (step: Step) => async (call: Call<{ id: number; reason?: string }>) => {
    const { id, reason } = call.input
    const [name = ''] = await moveRows(call.db, audits, call.scope, appAudit.actions[step], [id])
    await noteReview(call.db, id, call.actor.id, reason ?? null)
    call.note({ description: reason ? `${name}: ${reason}` : name })
    await touchRows(call, audits, [id])
    return {}
  }
  mountPlain(kit, audits, {
    actions: { review: decide('review'), pass: decide('pass'), reject: decide('reject'), takeDown: decide('takeDown') },
  })
}
