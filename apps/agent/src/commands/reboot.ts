import type { Command } from './command.ts'

/** Answered after the machine is back, by the agent that finds the command begun in another run of it. */
export const reboot: Command<'reboot'> = async (_args, { hardware }) => {
  await hardware.reboot()
  throw new Error('the machine did not go down')
}
