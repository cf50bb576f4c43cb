import { buffer } from 'node:stream/consumers'
import { parseWorkbook } from '../apps/server/src/platform/sheet/parse.ts'
import { writeWorkbook } from '../apps/server/src/platform/sheet/write.ts'

/** What a person sees when they open the file: rows of texts, the header first. */
export const readSheet = async (bytes: Buffer): Promise<string[][]> =>
  (await parseWorkbook(bytes)).map((row) => row.cells.map((cell) => cell ?? ''))

/** A file as a person would save it. */
export const writeSheet = ([header, ...rows]: readonly (readonly string[])[]): Promise<Buffer> =>
  buffer(
    writeWorkbook([{ name: 'Sheet1', columns: (header ?? []).map((text) => ({ header: text })), batches: [rows] }]),
  )
