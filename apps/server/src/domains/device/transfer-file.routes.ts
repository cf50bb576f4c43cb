import { importTransfer } from '@campanile/contract'
import { PartialAnswer } from '../../kit/answer.ts'
import type { Kit } from '../../kit/route.ts'
import { uploadedSheet } from '../../kit/uploaded-sheet.ts'
import type { Db } from '../../platform/db.ts'
import { errorText } from '../../platform/texts.ts'
import { type Known, lockBySns } from './device.store.ts'
import { serialRefusal, serialRows } from './serial-file.ts'
import type { Transfer } from './transfer.service.ts'

/** Moves the devices of a file, and tells of each row that could not go why not. */
export const mountTransferFile = (kit: Kit, transfer: Transfer) =>
  kit.guarded(
    importTransfer,
    'device',
    async (call, request) => {
      const { scope, input, caller } = call
      const rows = serialRows(await uploadedSheet(request))
      return kit.db.transaction().execute(async (transaction) => {
        const db = transaction as Db
        const target = await transfer.findTarget(db, scope, input.departmentId)
        const sns = [...new Set(rows.map(({ sn }) => sn))]
        const devices = await lockBySns(db, scope, sns)
        const known = new Map(devices.map((each) => [each.sn, each]))
        const refusal = await transfer.refusals(db, devices, target)
        const seen = new Set<string>()
        const moving: Known[] = []
        const failed: { row: number; sn: string; code: number; message: string }[] = []
        for (const each of rows) {
          const device = known.get(each.sn)
          const why = serialRefusal(each.sn, seen) ?? refusal(each.sn)
          seen.add(each.sn)
          if (why) {
            const message = errorText(why.code, caller.language, why.data)
            failed.push({ row: each.row, sn: each.sn.slice(0, 128), code: why.code, message })
          } else if (device) moving.push(device)
        }
        if (input.dryRun !== 'true' && moving.length > 0) await transfer.move(db, moving, target)
        call.note({ description: `${moving.length} of ${rows.length} → ${target.name}` })
        const answer = { moved: moving.length, failed }
        return failed.length > 0 ? new PartialAnswer(answer) : answer
      })
    },
    'apart',
  )
