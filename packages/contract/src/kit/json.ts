import { z } from 'zod'

/** JSON that somebody else made up: a device, the maker of a command. Nothing of our own making is declared as this. */
export const anyJson = z.unknown()
export const anyObject = z.record(z.string(), anyJson)
