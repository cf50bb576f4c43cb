import type { FileValue, Resource } from '@campanile/contract/kit'
import { useQuery } from '@tanstack/react-query'
import { showError } from '../../shell/feedback.ts'
import { calls } from '../calls.ts'
import type { Reader } from '../reader.ts'
import { sizeText } from '../size.ts'
import { saveBlob } from '../transfer/saveBlob.ts'
import { useObjectUrl } from './useObjectUrl.ts'

interface Props {
  resource: Resource
  name: string
  /** The row that holds it. */
  id: number
  value: FileValue
}

/** A picture of a row. It needs the session's header, which an `<img>` cannot send: fetched, then shown from memory. */
export function RowPicture({ resource, name, id, value }: Props) {
  const { data } = useQuery({
    queryKey: ['rowFile', resource.name, name, id, value.id],
    queryFn: async ({ signal }) => (await calls.rowFile(resource, name, id, { signal })).blob,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return <Picture url={useObjectUrl(data)} name={value.name} />
}

export function Picture({ url, name }: { url: string | undefined; name: string }) {
  return url === undefined ? (
    <span className="picture picture-bones" aria-hidden="true" />
  ) : (
    <img className="picture" src={url} alt={name} title={name} />
  )
}

/** A file of a row, to be saved. */
export function RowFile({ resource, name, id, value, reader }: Props & { reader: Reader }) {
  const save = async () => {
    try {
      const { blob, fileName = value.name } = await calls.rowFile(resource, name, id)
      saveBlob(blob, fileName)
    } catch (error) {
      showError(error)
    }
  }
  return (
    <button type="button" className="link-button" title={value.name} onClick={save}>
      {value.name} <span className="quiet">{sizeText(value.size, reader)}</span>
    </button>
  )
}
