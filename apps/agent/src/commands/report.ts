import type { Command } from './command.ts'

/** Told after the answer, so that the answer says that it will be. */
export const report: Command<'report'> = async (_args, { tellAll }) => ({ after: tellAll })
