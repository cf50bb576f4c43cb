import { isPartialSuccess } from '@campanile/client'
import { device, importTransfer, type TransferAnswer } from '@campanile/contract/device'
import { useQueryClient } from '@tanstack/react-query'
import { calls } from '../../../kit/index.ts'
import { listKey } from '../../../kit/list/useResourceList.ts'

/** What is to be moved: devices by their serials, or those of a file. */
export type Load = { kind: 'devices'; sns: readonly string[] } | { kind: 'file'; file: File }

/** 100028 is an answer here: some rows go and some do not, and both are shown. */
const answered = async (call: Promise<TransferAnswer>): Promise<TransferAnswer> => {
  try {
    return await call
  } catch (error) {
    if (isPartialSuccess(error)) return error.data as TransferAnswer
    throw error
  }
}

export const useTransfer = () => {
  const queries = useQueryClient()
  const send = (load: Load, departmentId: number, dryRun: boolean) =>
    load.kind === 'file'
      ? answered(calls.upload(importTransfer, load.file, { departmentId, dryRun: dryRun ? 'true' : 'false' }))
      : answered(
          calls.action(device, 'transferBatch', {
            sns: [...load.sns],
            departmentId,
            dryRun,
          }) as unknown as Promise<TransferAnswer>,
        )
  return {
    check: (load: Load, departmentId: number) => send(load, departmentId, true),
    /** Only what the check let go: one that stays must not hold back the others. */
    run: async (load: Load, departmentId: number, checked: TransferAnswer) => {
      const going = checked.going.map(({ sn }) => sn)
      const answer = await send(load.kind === 'file' ? load : { kind: 'devices', sns: going }, departmentId, false)
      await queries.invalidateQueries({ queryKey: listKey(device) })
      return answer
    },
  }
}
