import type { Command } from './command.ts'

export const uninstall: Command<'uninstall'> = async (args, { hardware }) => ({
  result: await hardware.uninstall(args.package),
})
