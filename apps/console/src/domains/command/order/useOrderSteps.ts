import { type CommandName, commands, commandTextKey, type MadeTask, type Target } from '@campanile/contract/command'
import type { CommandSpec } from '@campanile/contract/kit'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type OrderInput, useOrder } from './useOrder.ts'

type Step = 'args' | 'preview' | 'made'

interface StepsInput {
  readonly command: CommandName
  readonly target: Target | undefined
  /** The one device meant; it is typed back before it is destroyed. */
  readonly sn?: string | undefined
  /** What it is called where it is not one of the commands people know. */
  readonly label?: string | undefined
  /** The arguments as they are sent, or the id of the first field that is wrong. */
  readonly read: () => { args: Record<string, unknown> } | { wrong: string }
  /** Where the input of an argument stands, for what the server blames. */
  readonly fieldOf?: (arg: string) => string
  readonly send: (input: OrderInput) => Promise<MadeTask>
  /** Told when another step begins. */
  readonly onStep?: (step: Step) => void
  readonly words?: () => { name?: string; description?: string }
}

/** Three steps: arguments, who will be hit, how it goes. */
export const useOrderSteps = ({ command, target, sn, label, read, fieldOf, send, onStep, words }: StepsInput) => {
  const { t } = useTranslation()
  const base = useId()
  const order = useOrder(send)
  const [args, setArgs] = useState<Record<string, unknown>>()
  const [typed, setTyped] = useState('')
  const [nobody, setNobody] = useState(false)
  const { destroys = false }: CommandSpec = commands[command]
  const hit = order.preview?.receiving ?? 0
  const proof = sn ?? String(hit)
  const proven = !destroys || typed.trim() === proof

  const blamed = async (wrong: Promise<string | undefined>) => {
    const name = await wrong
    if (name !== undefined && fieldOf) document.getElementById(fieldOf(name))?.focus()
  }
  const look = async () => {
    const entered = read()
    setNobody(target === undefined)
    if ('wrong' in entered) {
      document.getElementById(entered.wrong)?.focus()
      return
    }
    if (!target) return
    setArgs(entered.args)
    await blamed(order.look({ command, args: entered.args, target }))
  }
  const step: Step = order.made ? 'made' : order.preview ? 'preview' : 'args'
  const tell = useEffectEvent((now: Step) => onStep?.(now))
  useEffect(() => tell(step), [step])

  return {
    ...order,
    command,
    label: label ?? t(commandTextKey(command)),
    base,
    step,
    destroys,
    hit,
    sn,
    proof,
    proven,
    typed,
    setTyped,
    /** Asked for a preview without naming a device. */
    nobody: nobody && target === undefined,
    look,
    give: async () => {
      if (args && target && proven) await order.give({ command, args, target }, words?.())
    },
  }
}
export type OrderSteps = ReturnType<typeof useOrderSteps>
