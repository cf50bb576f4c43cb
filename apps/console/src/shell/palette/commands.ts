import { useEffect, useEffectEvent } from 'react'
import { create } from 'zustand'
import type { PermissionCheck } from '../permissions.ts'

/** Something the palette can do. */
export type Command = {
  id: string
  title: string
  run: () => void
  perm?: PermissionCheck | undefined
  /** Other words it is found by. */
  keywords?: readonly string[] | undefined
}

export const useCommands = create<{ commands: readonly Command[] }>(() => ({ commands: [] }))

/** Offers an action in the palette while the page that knows it is in front. */
export function useCommand({ id, title, run, perm, keywords }: Command): void {
  const latest = useEffectEvent(run)
  // biome-ignore lint/correctness/useExhaustiveDependencies: lists and checks are written in place, their content is what counts
  useEffect(() => {
    const command = { id, title, perm, keywords, run: () => latest() }
    useCommands.setState(({ commands }) => ({ commands: [...commands.filter((each) => each.id !== id), command] }))
    return () => useCommands.setState(({ commands }) => ({ commands: commands.filter((each) => each !== command) }))
  }, [id, title, JSON.stringify(perm), keywords?.join(' ')])
}
