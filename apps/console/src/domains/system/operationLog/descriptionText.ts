import { commandTextKey } from '@campanile/contract/command'
import type { Row } from '@campanile/contract/kit'
import type { operationLog } from '@campanile/contract/system'
import type { Reader } from '../../../kit/reader.ts'

type Line = Pick<Row<typeof operationLog>, 'type' | 'module' | 'description'>

/** Where a first word that is a command's name is a name somebody gave. */
const unsaid = new Set(['deviceSetting', 'deviceGroup'])

/** The log keeps what it was told, in no language: counts of rows, names of settings and commands get their words here. */
export const descriptionText = ({ type, module, description }: Line, reader: Reader): string | undefined => {
  if (!description) return undefined
  const rows = rowsText(description, reader)
  if (rows !== undefined) return rows
  if (type === 'read' && module === 'operationLog' && /^\d+$/.test(description))
    return reader.t('operationLog.readRow', { id: reader.number(Number(description)) })
  if (module === 'config')
    return description
      .split(', ')
      .map((key) => reader.maybe(`config.field.${key}`) ?? key)
      .join(reader.t('kit.value.comma'))
  if (module === 'personal' || module === 'search') return ofKind(description, reader)
  // A command stands first in what is said of it: "wipe 20261115-18: S1".
  const [command] = description.match(/^\w+(?=:? )/) ?? []
  const name = command === undefined ? undefined : reader.maybe(commandTextKey(command))
  if (name !== undefined && !unsaid.has(module)) return `${name}${description.slice(command?.length)}`
  return description
}

/** `10 of 39` */
const rowsText = (text: string, reader: Reader): string | undefined => {
  const [, shown, total] = text.match(/^(\d+) of (\d+)$/) ?? []
  if (shown === undefined || total === undefined) return undefined
  return reader.t('operationLog.readRows', {
    count: Number(total),
    shown: reader.number(Number(shown)),
    total: reader.number(Number(total)),
  })
}

/** What was looked for or kept among rows of a kind, which stands first: `device: 3 of 10`, `device: My view`. */
const ofKind = (text: string, reader: Reader): string => {
  const [, alerts] = text.match(/^alert × (\d+)$/) ?? []
  if (alerts !== undefined)
    return reader.t('operationLog.alerts', { count: Number(alerts), shown: reader.number(Number(alerts)) })
  const [, kind = '', rest = ''] = text.match(/^(\w+): (.*)$/s) ?? []
  const title = kind === '' ? undefined : reader.maybe(`${kind}.title`)
  return title === undefined ? text : `${title} · ${rowsText(rest, reader) ?? rest}`
}

/** The kinds of rows that a line names beside its own module, whose words it needs. */
export const kindsNamed = ({ module, description }: Pick<Line, 'module' | 'description'>): string[] => {
  const kind = module === 'personal' || module === 'search' ? description?.match(/^\w+(?=: )/)?.[0] : undefined
  return kind === undefined ? [module] : [module, kind]
}
