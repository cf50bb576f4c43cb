import type { Command } from './command.ts'

export const configure: Command<'configure'> = async (settings, { hardware, setHeartbeat }) => {
  const result = await hardware.configure(settings)
  const { heartbeatSeconds } = settings.items
  if (typeof heartbeatSeconds === 'number') setHeartbeat(heartbeatSeconds)
  return { result: { version: settings.version, ...result } }
}
