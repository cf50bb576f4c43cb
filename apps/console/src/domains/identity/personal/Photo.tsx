import { Avatar } from 'antd'
import { useObjectUrl } from '../../../kit/files/useObjectUrl.ts'
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
