import {
  createBrokerTask,
  createTask,
  giveCommand,
  handoverRoutes,
  type operationLog,
  pushSetting,
  type Row,
  resources,
  runBatch,
} from '@campanile/contract'
import type { i18n as I18n } from 'i18next'

type Line = Pick<Row<typeof operationLog>, 'type' | 'route'>

const handovers: Readonly<Record<string, string>> = {
  [handoverRoutes.left]: 'operationLog.handover.left',
  [handoverRoutes.arrived]: 'operationLog.handover.arrived',
}

/** The doors to a command. */
const given = [giveCommand, createTask, runBatch, createBrokerTask, pushSetting].map(({ path }) => path)

/** The action of a resource that a route is, as its texts call it. */
const actionKey = (route: string): string | undefined => {
  const path = route.split(' ').at(-1) ?? ''
  if (given.includes(path)) return 'operationLog.given'
  const found = resources.find(({ wire, actions }) =>
    Object.keys(actions).some((name) => path === `${wire.path}/${name}`),
  )
  return found && `${found.name}.action.${path.split('/').at(-1)}`
}

/** What was done, in the word of the button that did it: "Give up" says more than "Action". */
export const operationLabel = ({ type, route }: Line, i18n: I18n): string => {
  const key = type === 'action' ? (handovers[route] ?? actionKey(route)) : undefined
  return i18n.t(key !== undefined && i18n.exists(key) ? key : `operationLog.option.type.${type}`)
}
