import { AppError, commonErrors, operationDetail } from '@campanile/contract'
import { byDefault, mount } from '../../kit/mount.ts'
import { touchRows } from '../../kit/touched.ts'
import type { Services } from '../../services.ts'
import { findOperation, listOperations, operations } from './operation-log.store.ts'

export const mountOperationLog = ({ kit }: Services) => {
  mount(kit, operations, { list: ({ db, scope, input }) => listOperations(db, scope, input), export: byDefault })

  kit.guarded(operationDetail, 'operationLog', async (call) => {
    const line = await findOperation(call.db, call.scope, call.input.id)
    if (!line) throw new AppError(commonErrors.resourceNotFound, { id: call.input.id })
    call.note({ description: String(line.id) })
    await touchRows(call, operations, [line.id])
    return line
  })
}
