/** How tables are saved as text, by the names that browsers and servers know, in the order people are likely to need them. */
export const encodings = {
  'utf-8': 'UTF-8',
  gb18030: 'GBK / GB18030',
  big5: 'Big5',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
} as const
export type Encoding = keyof typeof encodings

export const isText = (file: File): boolean => /\.csv$/i.test(file.name)

/** The same file in UTF-8, which is read as what it is; nothing where it holds what the encoding does not have. */
export const readAs = async (file: File, encoding: Encoding): Promise<File | undefined> => {
  const bytes = await file.arrayBuffer()
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    return new File([text], file.name, { type: 'text/csv' })
  } catch {
    return undefined
  }
}
