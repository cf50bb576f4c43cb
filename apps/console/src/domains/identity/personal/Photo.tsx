import { Avatar } from 'antd'
import { useEffect, useState } from 'react'
import { initials } from '../../../shell/layout/initials.ts'
import { usePhoto } from '../../../shell/layout/useOwnPhoto.ts'

interface Props {
  /** Where the server keeps it. */
  photo: string | null
  name: string
  size: number
  /** Chosen but not sent yet. */
  preview?: Blob | undefined
}

export function Photo({ photo, name, size, preview }: Props) {
  const stored = usePhoto(photo)
  const chosen = useObjectUrl(preview)
  const url = chosen ?? stored
  return (
    <Avatar size={size} alt={name} {...(url === undefined ? {} : { src: url })}>
      {initials(name)}
    </Avatar>
  )
}

function useObjectUrl(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (blob === undefined) return setUrl(undefined)
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return url
}
