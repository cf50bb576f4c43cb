import type { Command } from './command.ts'

export const uploadLog: Command<'uploadLog'> = async (log, { hardware, send }) => ({
  result: await send(hardware.collectLog(log)),
})
