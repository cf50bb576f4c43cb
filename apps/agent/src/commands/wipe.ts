import type { Command } from './command.ts'

/** The identity goes last: without it nobody would hear that the rest is gone. */
export const wipe: Command<'wipe'> = async (_args, { hardware, forget }) => ({
  result: await hardware.wipe(),
  after: forget,
})
