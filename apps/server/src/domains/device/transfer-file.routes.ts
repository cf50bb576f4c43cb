import { importTransfer, type TransferAnswer, transferTemplate } from '@campanile/contract'
import { PartialAnswer, RawAnswer } from '../../kit/answer.ts'
import type { Call } from '../../kit/call.ts'
import { attachment } from '../../kit/export/download.ts'
import type { Kit } from '../../kit/route.ts'
import { anySheet } from '../../kit/upload/sheet.ts'
import type { Db } from '../../platform/db.ts'
import type { SheetRow } from '../../platform/sheet/parse.ts'
import { writeWorkbook } from '../../platform/sheet/write.ts'
import { errorText, textOf } from '../../platform/texts.ts'
import { type Known, lockWithStates } from './device.store.ts'
import { deviceTable } from './device.table.ts'
import { isHeading, type SerialRow, serialRefusal, serialRows } from './serial-file.ts'
import { answerOf, type Transfer } from './transfer.service.ts'

/** Moves the devices of a file, and tells of each row that could not go why not. */
export const mountTransferFile = (kit: Kit, transfer: Transfer) => {
  kit.guarded(transferTemplate, 'device', async ({ caller }) => {
    const word = (key: string) => textOf(key, caller.language)
    const sheet = { name: word('device.title'), columns: [{ header: word('device.field.sn'), width: 32 }], batches: [] }
    const stream = writeWorkbook([sheet])
    return new RawAnswer((reply) => attachment(reply, `${word('deviceTransfer.title')}.xlsx`, { stream }))
  })

  /** The rows as they were sent, each with its reason, to be corrected and sent again. */
  const keep = (
    { caller: { language }, scope, actor }: Call,
    sheet: readonly SheetRow[],
    failed: readonly { cells: SerialRow['cells']; message: string }[],
  ) => {
    const [first] = sheet
    const headed = first && isHeading(first)
    const width = Math.max(1, ...failed.map(({ cells }) => cells.length))
    const words = headed ? first.cells : [textOf('device.field.sn', language)]
    return kit.longWork.imports.storeResult({
      table: deviceTable,
      headers: Array.from({ length: width }, (_, at) => words[at] ?? ''),
      language,
      departmentId: scope.departmentId,
      userId: actor.id,
      failed: failed.map(({ cells, message }) => ({ cells, reasons: [message] })),
      shown: [],
    })
  }

  kit.takesFile(importTransfer, 'device', {
    read: anySheet,
    transactions: 'noTransaction',
    run: async (call, sheet) => {
      const { scope, input, caller } = call
      const rows = serialRows(sheet)
      const dryRun = input.dryRun === 'true'
      return kit.db.transaction().execute(async (transaction) => {
        const db = transaction as Db
        const target = await transfer.findTarget(db, scope, input.departmentId)
        const sns = [...new Set(rows.map(({ sn }) => sn))]
        const devices = await lockWithStates(db, scope, sns)
        const known = new Map(devices.map((each) => [each.sn, each]))
        const refusal = await transfer.refusals(db, devices, target)
        const seen = new Set<string>()
        const moving: Known[] = []
        const failed: (TransferAnswer['failed'][number] & { cells: SerialRow['cells'] })[] = []
        for (const each of rows) {
          const device = known.get(each.sn)
          const why = serialRefusal(each, seen) ?? refusal(each.sn)
          seen.add(each.sn)
          if (why) {
            const message = errorText(why.code, caller.language, why.data)
            failed.push({ row: each.row, sn: each.sn.slice(0, 128), code: why.code, message, cells: each.cells })
          } else if (device) moving.push(device)
        }
        if (!dryRun && moving.length > 0) await transfer.move({ ...call, db }, moving, target)
        call.note({
          description: `${moving.map(({ sn }) => sn).join(', ')} → ${target.name}`,
          ...(dryRun && { type: 'read' }),
        })
        // A dry run that goes no further is also an end.
        const ended = failed.length > 0 && (!dryRun || moving.length === 0)
        const fileId = ended ? await keep(call, sheet, failed) : null
        const answer = answerOf(
          moving,
          failed.map(({ cells: _cells, ...row }) => row),
          fileId,
        )
        return failed.length > 0 ? new PartialAnswer(answer) : answer
      })
    },
  })
}
