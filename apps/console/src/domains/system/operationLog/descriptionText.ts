import { commandTextKey } from '@campanile/contract/command'
import type { Row } from '@campanile/contract/kit'
import type { operationLog } from '@campanile/contract/system'
import type { Reader } from '../../../kit/index.ts'

/** Where a first word that is a command's name is a name somebody gave. */
const unsaid = new Set(['deviceSetting', 'deviceGroup'])

/** The log keeps what it was told, in no language: a count of rows read, or a line of the log itself, gets its words here. */
export const descriptionText = ({ type, module, description }: Row<typeof operationLog>, reader: Reader) => {
  const [, shown, total] = description?.match(/^(\d+) of (\d+)$/) ?? []
  if (shown !== undefined && total !== undefined)
    return reader.t('operationLog.readRows', {
      shown: reader.number(Number(shown)),
      total: reader.number(Number(total)),
    })
  if (type === 'read' && module === 'operationLog' && /^\d+$/.test(description ?? ''))
    return reader.t('operationLog.readRow', { id: reader.number(Number(description)) })
  // A command stands first in what is said of it: "wipe 20261115-18: S1".
  const [command] = description?.match(/^\w+(?=:? )/) ?? []
  const name = command === undefined ? undefined : reader.maybe(commandTextKey(command))
  if (name !== undefined && !unsaid.has(module)) return `${name}${description?.slice(command?.length)}`
  return description ?? undefined
}
