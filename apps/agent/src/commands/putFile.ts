import type { Command } from './command.ts'

export const putFile: Command<'putFile'> = async (args, { hardware, update }) => ({
  result: await hardware.putFile(args, update),
})
