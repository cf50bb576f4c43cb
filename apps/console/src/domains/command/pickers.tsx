import { type CommandName, commandSpec, commandTextKey, type OneTarget } from '@campanile/contract/command'
import type { commandGroups } from '@campanile/contract/kit'
import { useTranslation } from 'react-i18next'
import { groupedCommands, type Standing } from './order/offered.ts'
import { usePermittedCommands } from './order/usePermittedCommands.ts'
import { tellDevices } from './tellDevices.tsx'

export { isOffered } from './order/offered.ts'
export { nearTelling, tellDevices } from './tellDevices.tsx'

export interface CommandItem {
  readonly key: CommandName
  readonly kind: (typeof commandGroups)[number] | 'danger'
  readonly label: string
  readonly danger: boolean
  readonly frequent: boolean
}

/** The permitted commands for devices that stand so, what is asked for every day first and what destroys last. */
export const useCommands = (standing?: Standing): CommandItem[] => {
  const { t } = useTranslation()
  const permitted = usePermittedCommands()
  return groupedCommands(permitted, standing).flatMap(({ kind, names }) =>
    names.map((key) => ({
      key,
      kind,
      label: t(commandTextKey(key)),
      danger: kind === 'danger',
      frequent: commandSpec(key)?.frequent === true,
    })),
  )
}

/** One command to devices that are known, with arguments that are. */
export const tell = (command: CommandName, target: OneTarget, args?: Readonly<Record<string, unknown>>): void =>
  tellDevices({ targets: [target], command, args })
