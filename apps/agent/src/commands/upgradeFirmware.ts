import type { Command } from './command.ts'

export const upgradeFirmware: Command<'upgradeFirmware'> = async (args, { hardware, update }) => ({
  result: await hardware.upgradeFirmware(args, update),
})
