import type { Command } from './command.ts'

export const kioskOff: Command<'kioskOff'> = async (_args, { hardware }) => ({
  result: await hardware.kiosk(undefined),
})
