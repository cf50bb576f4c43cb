import { useEffect, useEffectEvent } from 'react'
import { create } from 'zustand'

/** Something the palette can do. */
export type Command = {
  id: string
  title: string
  run: () => void
}

export const useCommands = create<{ commands: readonly Command[] }>(() => ({ commands: [] }))

/** Offers an action in the palette while the page that knows it is in front; undefined while it is not permitted. */
export function useCommand(command: Command | undefined): void {
  const run = useEffectEvent(() => command?.run())
  const { id, title } = command ?? {}
  useEffect(() => {
    if (id === undefined || title === undefined) return
    const offered = { id, title, run: () => run() }
    useCommands.setState(({ commands }) => ({ commands: [...commands.filter((each) => each.id !== id), offered] }))
    return () => useCommands.setState(({ commands }) => ({ commands: commands.filter((each) => each !== offered) }))
  }, [id, title])
}
