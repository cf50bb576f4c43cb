import type { Command } from './command.ts'

export const applyTemplate: Command<'applyTemplate'> = async (template, { hardware }) => ({
  result: await hardware.applyTemplate(template),
})
