import type { Command } from './command.ts'

export const undoTemplate: Command<'undoTemplate'> = async ({ templateId }, { hardware }) => ({
  result: await hardware.undoTemplate(templateId),
})
