import type { Command } from './command.ts'

/** Nothing on the machine changes; only who it is here is given up, once the server has heard that it is. */
export const unbind: Command<'unbind'> = async (_args, { forget }) => ({ after: forget })
