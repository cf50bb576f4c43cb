import { minutesApart, powerGapMinutes } from '@campanile/contract'
import type { Command } from './command.ts'

export const powerSchedule: Command<'powerSchedule'> = async (plan, { hardware }) => {
  if (minutesApart(plan.off, plan.on) < powerGapMinutes)
    throw new Error(`off and on must be ${powerGapMinutes} minutes apart`)
  return { result: await hardware.schedulePower(plan) }
}
