import type { Command } from './command.ts'

export const custom: Command<'custom'> = async ({ payload }, { hardware }) => ({
  result: await hardware.custom(payload),
})
