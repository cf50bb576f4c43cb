import type { Command } from './command.ts'

export const devicePassword: Command<'devicePassword'> = async ({ password }, { hardware }) => ({
  result: await hardware.setPassword(password),
})
