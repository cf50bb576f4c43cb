import type { Command } from './command.ts'

export const installApp: Command<'installApp'> = async (args, { hardware, update }) => ({
  result: await hardware.installApp(args, update),
})
