import type { Command } from './command.ts'

export const kioskOn: Command<'kioskOn'> = async (profile, { hardware }) => ({ result: await hardware.kiosk(profile) })
