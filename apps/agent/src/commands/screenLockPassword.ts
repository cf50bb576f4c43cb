import type { Command } from './command.ts'

export const screenLockPassword: Command<'screenLockPassword'> = async ({ password }, { hardware }) => ({
  result: await hardware.setScreenLock(password),
})
