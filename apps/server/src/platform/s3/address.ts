/** Where an S3-compatible store is, and who we are there. */
export interface S3Address {
  /** Scheme, host and port. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  /** In front of every key; empty, or ends with a slash. */
  readonly prefix: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export const s3AddressShape = 's3://key:secret@host/bucket, with ?region=… and ?tls=off where they are needed'

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
const bucketShape = /^[a-zA-Z0-9][a-zA-Z0-9._-]{1,62}$/
const folderShape = /^[a-zA-Z0-9._-]+$/

/** `s3://key:secret@host:port/bucket/folder?region=eu-central-1&tls=off`, characters of the secret escaped as in any address. */
export const readS3Address = (text: string): S3Address | undefined => {
  if (!URL.canParse(text)) return undefined
  const { protocol, host, username, password, pathname, searchParams } = new URL(text)
  const [bucket = '', ...folders] = pathname.split('/').filter(Boolean)
  const accessKeyId = decoded(username)
  const secretAccessKey = decoded(password)
  const region = searchParams.get('region') ?? 'us-east-1'
  const tls = searchParams.get('tls') ?? 'on'
  const isKnown = [...searchParams.keys()].every((name) => name === 'region' || name === 'tls')
  if (protocol !== 's3:' || host === '' || !accessKeyId || !secretAccessKey || !isKnown) return undefined
  if (!bucketShape.test(bucket) || !folders.every((name) => folderShape.test(name))) return undefined
  if (!/^[a-z0-9-]+$/.test(region) || (tls !== 'on' && tls !== 'off')) return undefined
  return {
    endpoint: `${tls === 'on' ? 'https' : 'http'}://${host}`,
    region,
    bucket,
    prefix: folders.map((name) => `${name}/`).join(''),
    accessKeyId,
    secretAccessKey,
  }
}
