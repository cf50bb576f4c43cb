import { commandDoors } from '@campanile/contract/command'
import type { Row } from '@campanile/contract/kit'
import { handoverRoutes, type operationLog } from '@campanile/contract/system'
import type { i18n as I18n } from 'i18next'
import { humanised } from './humanised.ts'

type Line = Pick<Row<typeof operationLog>, 'type' | 'module' | 'route'>

const handovers: Readonly<Record<string, string>> = {
  [handoverRoutes.left]: 'operationLog.handover.left',
  [handoverRoutes.arrived]: 'operationLog.handover.arrived',
}

/** The action that a route is, as the texts of its module call it. */
const actionKey = ({ module, route }: Line): string => {
  const path = route.split(' ').at(-1) ?? ''
  return commandDoors.includes(path) ? 'operationLog.given' : `${module}.action.${path.split('/').at(-1)}`
}

/** What was done, in the word of the button that did it: "Give up" says more than "Action". */
export const operationLabel = (line: Line, i18n: I18n): string => {
  const key = line.type === 'action' ? (handovers[line.route] ?? actionKey(line)) : undefined
  const type = `operationLog.option.type.${line.type}`
  const said = [key, type].find((each) => each !== undefined && i18n.exists(each))
  return said === undefined ? humanised(line.type) : i18n.t(said)
}
