import type { Command } from './command.ts'

export const screenshot: Command<'screenshot'> = async (_args, { hardware, send }) => ({
  result: await send(hardware.capture()),
})
