import type { Command } from './command.ts'

export const lock: Command<'lock'> = async (_args, { hardware }) => ({ result: await hardware.lock(true) })
