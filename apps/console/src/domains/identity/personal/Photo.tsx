import { readPhoto } from '@campanile/contract'
import { useQuery } from '@tanstack/react-query'
import { Avatar } from 'antd'
import { useEffect, useState } from 'react'
import { calls } from '../../../kit/calls.ts'
import { initials } from '../../../shell/layout/initials.ts'

interface Props {
  /** As the server sends it: the key of the stored photo, or a path that ends with it. */
  photo: string | null
  name: string
  size: number
  /** Chosen but not sent yet. */
  preview?: Blob | undefined
}

const keyOf = (photo: string) => photo.split('/').at(-1) ?? photo

/** The picture lies behind the session, so it is fetched with it and shown from memory. */
export function Photo({ photo, name, size, preview }: Props) {
  const { data } = useQuery({
    queryKey: ['photo', photo],
    queryFn: async () => (await calls.download(readPhoto, { key: keyOf(photo ?? '') })).blob,
    enabled: photo !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const url = useObjectUrl(preview ?? (photo === null ? undefined : data))
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
