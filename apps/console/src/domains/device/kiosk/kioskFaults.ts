import { argsSchema, type CommandArgs } from '@campanile/contract/command'

export type KioskDraft = CommandArgs<'kioskOn'>

/** What is wrong with it, by the command's own rules. */
export const faultsOf = (
  draft: KioskDraft,
  /** It has a password already, which stays where none is entered. */
  held = false,
): Partial<Record<keyof KioskDraft, 'packages' | 'onePackage' | 'exitPassword'>> => {
  const { error } = argsSchema('kioskOn').safeParse(draft)
  const wrong = new Set(error?.issues.map(({ path }) => path[0]))
  return {
    ...((wrong.has('exitPassword') || (!draft.exitPassword && !held)) && { exitPassword: 'exitPassword' as const }),
    ...(wrong.has('packages')
      ? { packages: 'packages' as const }
      : draft.mode === 'single' && draft.packages.length > 1 && { packages: 'onePackage' as const }),
  }
}
