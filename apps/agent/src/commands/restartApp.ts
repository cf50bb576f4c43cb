import type { Command } from './command.ts'

export const restartApp: Command<'restartApp'> = async (args, { hardware }) => ({
  result: await hardware.restartApp(args.package),
})
