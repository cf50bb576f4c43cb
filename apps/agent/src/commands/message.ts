import type { Command } from './command.ts'

export const message: Command<'message'> = async (args, { hardware }) => ({ result: await hardware.show(args) })
