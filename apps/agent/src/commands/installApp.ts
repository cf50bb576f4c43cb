import type { Command } from './command.ts'

/** What it has now is told as soon as the answer is given. */
export const installApp: Command<'installApp'> = async (args, { hardware, update, tellAll }) => ({
  result: await hardware.installApp(args, update),
  after: tellAll,
})
