import { SaxesParser } from 'saxes'

/** What an S3 server says, as far as we ask: names and texts of elements, those of each `Part` or `Upload` together. */
export interface SaidS3 {
  readonly root: string
  readonly top: Readonly<Record<string, string>>
  readonly each: readonly Readonly<Record<string, string>>[]
}

const repeated = new Set(['Part', 'Upload'])

export const readAnswer = (text: string): SaidS3 => {
  const top: Record<string, string> = {}
  const each: Record<string, string>[] = []
  const path: string[] = []
  let root = ''
  let words = ''
  const parser = new SaxesParser()
  parser.on('opentag', ({ name }) => {
    root ||= name
    path.push(name)
    words = ''
    if (path.length === 2 && repeated.has(name)) each.push({})
  })
  parser.on('text', (part) => {
    words += part
  })
  parser.on('closetag', ({ name }) => {
    path.pop()
    if (path.length === 1) top[name] = words
    const last = each.at(-1)
    if (path.length === 2 && last && repeated.has(path[1] as string)) last[name] = words
    words = ''
  })
  parser.write(text).close()
  return { root, top, each }
}
