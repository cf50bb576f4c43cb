import { useEffect, useState } from 'react'
import { api } from '../api.ts'
import { useSession } from '../session/session.ts'

/** Pictures of people need the session's header, which an `<img>` cannot send: fetched, then shown from memory. */
export function usePhoto(path: string | null): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (path === null) return
    let made: string | undefined
    let current = true
    api
      .download(path)
      .then(({ blob }) => {
        if (!current) return
        made = URL.createObjectURL(blob)
        setUrl(made)
      })
      // Without the picture the initials stand there; nothing is lost that needs a word.
      .catch(() => undefined)
    return () => {
      current = false
      if (made !== undefined) URL.revokeObjectURL(made)
      setUrl(undefined)
    }
  }, [path])
  return url
}

export const useOwnPhoto = (): string | undefined => usePhoto(useSession((state) => state.session?.user.photo ?? null))
