import { fileName, group, mono, number, text } from '../kit/index.ts'

/** A link this server made (`deviceDownload`): a path of it, so that nobody can send a device elsewhere. */
const link = /^\/device\/v1\/download\/\d+\?until=\d+&sig=[\w-]+$/

/** A file that a command tells a device to fetch: where, how large it is, and what it must be. */
export const fileToFetch = () =>
  group({
    url: mono(512, link),
    size: number(1, Number.MAX_SAFE_INTEGER),
    sha256: mono(64, /^[0-9a-f]{64}$/),
    name: { ...text(255), schema: fileName },
  })
