import type { Command } from './command.ts'

/** What it has now is told as soon as the answer is given. */
export const upgradeFirmware: Command<'upgradeFirmware'> = async (args, { hardware, update, tellAll }) => ({
  result: await hardware.upgradeFirmware(args, update),
  after: tellAll,
})
