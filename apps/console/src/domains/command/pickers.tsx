import { type CommandName, commands, commandTextKey, type Target } from '@campanile/contract/command'
import type { CommandSpec } from '@campanile/contract/kit'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Asked } from './order/CommandDialog.tsx'
import { usePermittedCommands } from './order/usePermittedCommands.ts'

export { ItemValue, useItemName } from './setting/ItemValue.tsx'
export { CommandStateMark } from './task/states.tsx'
export { tellDevices } from './tellDevices.tsx'

const CommandDialog = lazy(() => import('./order/CommandDialog.tsx'))

export interface CommandItem {
  readonly key: CommandName
  readonly label: string
  readonly danger: boolean
  readonly run: () => void
}
interface CommandOffer {
  /** Opens the dialog: arguments, who will receive it, confirmation, result. */
  run(command: CommandName, target: Target, rest?: Pick<Asked, 'sn' | 'args'>): void
  /** The permitted commands for these devices, as entries of a menu. */
  menuFor(rows: readonly { readonly sn: string }[]): CommandItem[]
  /** To be rendered once by the screen. */
  readonly dialog: ReactNode
}

/** What may be asked of devices, wherever devices are shown. */
export const useCommand = (): CommandOffer => {
  const { t } = useTranslation()
  const permitted = usePermittedCommands()
  const [asked, setAsked] = useState<Asked>()
  const run: CommandOffer['run'] = (command, target, rest) => setAsked({ command, target, ...rest })
  return {
    run,
    menuFor: (rows) =>
      permitted.map((name) => {
        const { destroys = false }: CommandSpec = commands[name]
        const sns = rows.map(({ sn }) => sn)
        return {
          key: name,
          label: t(commandTextKey(name)),
          danger: destroys,
          run: () => run(name, { sns }, sns.length === 1 ? { sn: sns[0] } : {}),
        }
      }),
    dialog: asked && (
      <Suspense>
        <CommandDialog {...asked} onClose={() => setAsked(undefined)} />
      </Suspense>
    ),
  }
}
