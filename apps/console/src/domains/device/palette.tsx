import { type CommandName, chosenCommands, commands, commandTextKey } from '@campanile/contract/command'
import type { iotStates } from '@campanile/contract/device'
import type { CommandSpec } from '@campanile/contract/kit'
import { relativeText } from '../../kit/time.ts'
import { joined } from '../../shell/palette/groups.tsx'
import type { KindVerb, KindView, Tools } from '../../shell/palette/kinds.ts'
import { tellDevices } from '../command/pickers.tsx'
import { detailPath } from './paths.ts'
import { IotStatus } from './pick/IotStatus.tsx'

export const standsOn = ['spoken', 'device']

/** Commands with a letter of their own; every other is typed. */
const letters: Partial<Record<CommandName, string>> = {
  restartApp: 'R',
  message: 'M',
  reboot: 'D',
  screenshot: 'S',
  uploadLog: 'G',
  lock: 'L',
  unlock: 'U',
}

const commandVerb = (name: CommandName, { t }: Tools): KindVerb => {
  const { destroys = false }: CommandSpec = commands[name]
  const letter = letters[name]
  return {
    id: name,
    label: t(commandTextKey(name)),
    words: [name],
    danger: destroys,
    ...(letter !== undefined && { letter }),
    run: (row) => tellDevices({ targets: [{ sns: [row.name] }], command: name }),
  }
}

const verbs = (tools: Tools): KindVerb[] => {
  const permitted = chosenCommands.filter((name) => tools.permitted(commands[name].perm))
  const lettered = (Object.keys(letters) as CommandName[]).filter((name) => permitted.includes(name))
  const typed = permitted.filter((name) => letters[name] === undefined)
  const [first = [], rest = []] = [lettered.slice(0, 2), lettered.slice(2)]
  const timeline: KindVerb = {
    id: 'timeline',
    letter: 'T',
    label: tools.t('deviceDetail.tab.timeline'),
    run: (row) => tools.navigate(`${detailPath(row.name)}?tab=timeline`),
  }
  return [
    ...first.map((name) => commandVerb(name, tools)),
    ...(tools.permitted('device:list:detail') ? [timeline] : []),
    ...[...rest, ...typed].map((name) => commandVerb(name, tools)),
  ]
}

const device: KindView = {
  icon: 'device',
  beside: ({ tells }, reader) => {
    const { iotStatus, activationStatus, offlineSince } = tells
    const since = typeof offlineSince === 'string' ? new Date(offlineSince) : undefined
    return (
      <>
        <IotStatus
          state={iotStatus as (typeof iotStates)[number]}
          activation={typeof activationStatus === 'number' ? activationStatus : undefined}
        />{' '}
        {since && relativeText(since, new Date(), reader.language)}
      </>
    )
  },
  below: ({ tells }) =>
    joined([tells.departmentName, tells.model, tells.firmwareVersion].map((each) => each as string | null)),
  verbs,
}

export const kinds: Readonly<Record<string, KindView>> = { device, deviceGroup: { icon: 'organisation' } }
