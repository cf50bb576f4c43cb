import type { Command } from './command.ts'

export const unlock: Command<'unlock'> = async (_args, { hardware }) => ({ result: await hardware.lock(false) })
