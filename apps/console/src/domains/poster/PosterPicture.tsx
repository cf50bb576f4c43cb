import type { Row } from '@campanile/contract/kit'
import { downloadPoster, type poster, posterSizes } from '@campanile/contract/poster'
import { useQuery } from '@tanstack/react-query'
import { Modal } from 'antd'
import { useState } from 'react'
import { useObjectUrl } from '../../kit/files/useObjectUrl.ts'
import { calls } from '../../kit/index.ts'
import './poster.css'

type Poster = Pick<Row<typeof poster>, 'id' | 'title' | 'text' | 'imageType' | 'sha256'>

/** It needs the session's header, which an `<img>` cannot send: fetched, then shown from memory. */
const usePicture = ({ id, sha256 }: Poster) => {
  const { data } = useQuery({
    queryKey: ['posterPicture', id, sha256],
    queryFn: async () => (await calls.download(downloadPoster, { id: String(id) })).blob,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return useObjectUrl(data)
}

/** A device that shows it: the whole screen, or a strip above what else stands there. */
function Framed({ row }: { row: Poster }) {
  const url = usePicture(row)
  const [width, height] = posterSizes[row.imageType]
  return (
    <figure className="poster-device">
      <div className="poster-screen">
        {url && <img src={url} alt={row.title} style={{ aspectRatio: `${width} / ${height}` }} />}
      </div>
      <figcaption>{row.text}</figcaption>
    </figure>
  )
}

/** The picture in a list; pressed, it is seen as on a device. */
export function PosterPicture({ row, label }: { row: Poster; label: string }) {
  const url = usePicture(row)
  const [open, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className="poster-thumb"
        aria-label={`${label}: ${row.title}`}
        onClick={() => setOpen(true)}
      >
        {url ? <img src={url} alt="" /> : <span className="picture picture-bones" aria-hidden="true" />}
      </button>
      <Modal open={open} title={row.title} footer={null} width={360} onCancel={() => setOpen(false)} destroyOnHidden>
        <Framed row={row} />
      </Modal>
    </>
  )
}
