import { type CommandName, commandSpec } from '@campanile/contract/command'
import { commandGroups } from '@campanile/contract/kit'

/** Of how many of these devices something holds. */
export interface Standing {
  readonly total: number
  readonly locked?: number
  readonly kiosk?: number
}

export type CommandKind = (typeof commandGroups)[number] | 'danger'
const kinds: readonly CommandKind[] = [...commandGroups, 'danger']

const kindOf = (name: string): CommandKind => {
  const spec = commandSpec(name)
  return spec?.destroys ? 'danger' : (spec?.group ?? 'setUp')
}

/** Makes sense for at least one of them: nobody locks what is locked. Where nothing is known of them, all do. */
export const isOffered = (name: string, standing: Standing | undefined): boolean => {
  const unless = commandSpec(name)?.unless
  if (!unless || !standing) return true
  const holds = standing[unless.fact]
  if (holds === undefined) return true
  return unless.is ? holds < standing.total : holds > 0
}

/** What is asked for every day first, what destroys last; the one that was chosen stays whatever is known of the devices. */
export const groupedCommands = (
  permitted: readonly CommandName[],
  standing: Standing | undefined,
  chosen?: CommandName,
): { readonly kind: CommandKind; readonly names: readonly CommandName[] }[] =>
  kinds
    .map((kind) => ({
      kind,
      names: permitted.filter((name) => kindOf(name) === kind && (name === chosen || isOffered(name, standing))),
    }))
    .filter(({ names }) => names.length > 0)
