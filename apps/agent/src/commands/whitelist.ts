import type { Command } from './command.ts'

export const whitelist: Command<'whitelist'> = async ({ packages }, { hardware }) => ({
  result: await hardware.allowOnly(packages),
})
