import type { Command } from './command.ts'

export const showPoster: Command<'showPoster'> = async (poster, { hardware, update }) => ({
  result: await hardware.showPoster(poster, update),
})
