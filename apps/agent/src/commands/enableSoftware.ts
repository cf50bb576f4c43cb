import type { Command } from './command.ts'

export const enableSoftware: Command<'enableSoftware'> = async (args, { hardware }) => ({
  result: await hardware.setEnabled(args.package, args.enabled),
})
