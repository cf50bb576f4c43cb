import { describe, expect, test } from 'vitest'
import { parseWorkbook, type Reason, type SheetLimits, SheetRefusal, sheetLimits } from './parse.ts'
import { readSheet } from './read.ts'
import { type Cell, type Sheet, writeWorkbook } from './write.ts'
import { type ZipPart, zip } from './zip.ts'

const collect = async (stream: AsyncIterable<unknown>) => {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
const written = (sheets: Sheet[], limits?: Parameters<typeof writeWorkbook>[1]) =>
  collect(writeWorkbook(sheets, limits))
const sheetOf = (rows: Cell[][], headers = ['a', 'b', 'c']): Sheet => ({
  name: 'Sheet',
  columns: headers.map((header) => ({ header })),
  batches: [rows],
})
const cellsOf = async (rows: Cell[][]) =>
  (await parseWorkbook(await written([sheetOf(rows)]))).slice(1).map((row) => row.cells)
const xmlOf = async (rows: Cell[][]) => {
  const { inflateRawSync } = await import('node:zlib')
  const bytes = await written([sheetOf(rows)])
  const name = bytes.readUInt16LE(26)
  const end = bytes.indexOf(Buffer.from([0x50, 0x4b, 0x07, 0x08]))
  return inflateRawSync(bytes.subarray(30 + name, end)).toString('utf8')
}

describe('writing', () => {
  test.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '＝1',
    '"=1',
    ',=1',
    "=cmd|' /C calc'!A0",
    '=HYPERLINK("http://x")',
  ])('what looks like a formula stays text: %j', async (text) => {
    const xml = await xmlOf([[text]])
    expect(xml).not.toContain('<f')
    expect(xml).toContain('t="inlineStr"')
    expect(await cellsOf([[text]])).toEqual([[text]])
  })

  test('numbers stay numbers, text that looks like one stays text', async () => {
    const xml = await xmlOf([[-5, '-5', true]])
    expect(xml).toContain('<c r="A2"><v>-5</v></c>')
    expect(xml).toMatch(/<c r="B2"[^>]*t="inlineStr"/)
    expect(xml).toContain('<c r="C2" t="b"><v>1</v></c>')
    expect(await cellsOf([[-5, '-5', true]])).toEqual([['-5', '-5', 'true']])
  })

  test('everything people type comes back as it was', async () => {
    const texts = [
      '通告 & <b>"quoted"</b> \'x\'',
      'two\nlines',
      'nul \u0000 bell \u0007 vt \u000b',
      '_x000D_ literally',
      '🏫 emoji',
      ' spaces ',
      'e\u0301',
    ]
    expect(await cellsOf(texts.map((text) => [text]))).toEqual(texts.map((text) => [text]))
  })

  test('a cell longer than a spreadsheet holds is cut and says so, a lone half of a pair does not break the file', async () => {
    const [[long], [half]] = (await cellsOf([['x'.repeat(40_000)], ['a\ud800b']])) as [string[], string[]]
    expect(long).toBe(`${'x'.repeat(32_766)}…`)
    expect(half).toBe('a\ud800b')
  })

  test('more rows than a sheet holds go on in further sheets, none lost', async () => {
    const rows = Array.from({ length: 25 }, (_, index) => [index])
    const sheet = { ...sheetOf([]), batches: [rows.slice(0, 7), rows.slice(7, 8), rows.slice(8)] }
    const bytes = await written([sheet], { maxRows: 10, maxSheetBytes: 1e9 })
    expect(bytes.toString('latin1')).toContain('xl/worksheets/sheet3.xml')
    expect(bytes.toString('latin1')).not.toContain('xl/worksheets/sheet4.xml')
    expect((await parseWorkbook(bytes)).slice(1).map((row) => row.cells[0])).toEqual(
      rows.slice(0, 10).map(([n]) => String(n)),
    )
  })

  test('a source that fails fails the file', async () => {
    const batches = (async function* () {
      yield [['x']]
      throw new Error('the database went away')
    })()
    await expect(written([{ ...sheetOf([]), batches }])).rejects.toThrow('the database went away')
  })

  test('rows are pulled no faster than the file is read', async () => {
    let pulled = 0
    const batches = (function* () {
      for (; pulled < 10_000; pulled += 1)
        yield Array.from({ length: 100 }, (_, n) => [`${Math.sin(pulled * n)}`.repeat(4)])
    })()
    const stream = writeWorkbook([{ ...sheetOf([]), batches }])
    await stream[Symbol.asyncIterator]().next()
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(pulled).toBeLessThan(500)
    stream.destroy()
  })
})

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const types = (type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml') =>
  `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="${type}"/></Types>`
const parts = (sheet: string, more: Record<string, string> = {}): Record<string, string> => ({
  '[Content_Types].xml': types(),
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="x" Target="worksheets/sheet1.xml"/></Relationships>`,
  'xl/worksheets/sheet1.xml': sheet,
  ...more,
})
const packed = (files: Record<string, string> | ZipPart[]) =>
  collect(
    zip(
      Array.isArray(files)
        ? files
        : Object.entries(files).map(([name, text]) => ({ name, content: [Buffer.from(text)] })),
    ),
  )
const worksheet = (body: string, before = '', after = '') =>
  `<worksheet xmlns="${main}">${before}<sheetData>${body}</sheetData>${after}</worksheet>`
const row = (...cells: string[]) => `<row>${cells.join('')}</row>`
const inline = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`

const refusal = async (bytes: Buffer, limits?: SheetLimits): Promise<Reason | 'taken'> =>
  parseWorkbook(bytes, limits).then(
    () => 'taken',
    (error) => {
      if (!(error instanceof SheetRefusal)) throw error
      return error.reason
    },
  )

describe('reading', () => {
  test('every way a program writes a value', async () => {
    const strings = `<sst xmlns="${main}"><si><t>plain</t></si><si><r><t>ri</t></r><r><rPr><b/></rPr><t>ch</t></r><rPh sb="0" eb="1"><t>reading</t></rPh></si></sst>`
    const body = row(
      '<c t="s"><v>0</v></c>',
      '<c t="s"><v>1</v></c>',
      '<c t="str"><f>A1</f><v>result</v></c>',
      '<c><v>1.3800138E10</v></c>',
      '<c t="b"><v>0</v></c>',
      '<c t="e"><v>#REF!</v></c>',
      inline('in &amp; line'),
    )
    const rows = await parseWorkbook(await packed(parts(worksheet(body), { 'xl/sharedStrings.xml': strings })))
    expect(rows).toEqual([
      {
        number: 1,
        cells: ['plain', 'rich', 'result', '13800138000', 'false', '#REF!', 'in & line'],
        faults: { 5: 'failed' },
      },
    ])
  })

  test('a number reads as it was typed, however the program wrote it down, or not at all once it was rounded', async () => {
    const figures = [
      '1234567.0',
      '2.0250001E7',
      '12.50',
      '-0.0',
      '123456789012345',
      '1234567890123456',
      '1.2345678901234567E19',
    ]
    const body = row(...figures.map((figure) => `<c><v>${figure}</v></c>`))
    expect(await parseWorkbook(await packed(parts(worksheet(body))))).toEqual([
      {
        number: 1,
        cells: ['1234567', '20250001', '12.5', '0', '123456789012345', '1234567890123456', '1.2345678901234567E19'],
        faults: { 5: 'rounded', 6: 'rounded' },
      },
    ])
  })

  const formats = [
    'General',
    'yyyy\\-mm\\-dd',
    'hh:mm',
    '0.00&quot; days&quot;',
    '[h]:mm',
    '[Red]yyyy&quot;年&quot;m&quot;月&quot;',
  ]
  const styles = `<styleSheet xmlns="${main}"><numFmts>${formats
    .map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`)
    .join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${[
    0,
    14,
    22,
    ...formats.map((_, at) => 164 + at),
  ]
    .map((id) => `<xf numFmtId="${id}"/>`)
    .join('')}</cellXfs></styleSheet>`
  const dated = (at: string, value: string) => `<c s="${at}"><v>${value}</v></c>`

  test('a cell that shows a day or a time reads as one in every column', async () => {
    const body = row(
      dated('0', '46266'),
      dated('1', '46266'),
      dated('2', '46266.354166666664'),
      dated('3', '46266'),
      dated('4', '46266'),
      dated('5', '0.354166666666667'),
      dated('6', '12.5'),
      dated('7', '1.5'),
      dated('8', '46266'),
      '<c t="d"><v>2026-09-01T00:00:00</v></c>',
    )
    const [first] = await parseWorkbook(await packed(parts(worksheet(body), { 'xl/styles.xml': styles })))
    expect(first?.cells).toEqual([
      '46266',
      '2026-09-01',
      '2026-09-01 08:30:00',
      '46266',
      '2026-09-01',
      '08:30:00',
      '12.5',
      '1.5',
      '2026-09-01',
      '2026-09-01',
    ])
  })

  const book = (before: string, sheets: string) =>
    `<workbook xmlns="${main}" xmlns:r="${relations}">${before}<sheets>${sheets}</sheets></workbook>`

  test('days of a workbook that counts from 1904 are its own', async () => {
    const rows = await parseWorkbook(
      await packed(
        parts(worksheet(row(dated('1', '44804'), dated('0', '44804'))), {
          'xl/styles.xml': styles,
          'xl/workbook.xml': book('<workbookPr date1904="1"/>', '<sheet name="S" sheetId="1" r:id="r1"/>'),
        }),
      ),
    )
    expect(rows).toEqual([{ number: 1, cells: ['2026-09-01', '44804'], since1904: true }])
  })

  test.each(['hidden', 'veryHidden'])('a %s sheet is passed over', async (state) => {
    const rows = await parseWorkbook(
      await packed({
        ...parts(worksheet(row(inline('secret')))),
        'xl/worksheets/sheet2.xml': worksheet(row(inline('seen'))),
        'xl/workbook.xml': book(
          '',
          `<sheet name="H" sheetId="1" state="${state}" r:id="r1"/><sheet name="S" sheetId="2" r:id="r2"/>`,
        ),
        'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Target="worksheets/sheet2.xml"/></Relationships>`,
      }),
    )
    expect(rows).toEqual([{ number: 1, cells: ['seen'] }])
  })

  test('blank rows and columns keep their places, prefixes of names do not matter', async () => {
    const body = `<x:row r="2"><x:c r="B2" t="inlineStr"><x:is><x:t>here</x:t></x:is></x:c></x:row><x:row r="3"><x:c r="A3"/></x:row><x:row r="7"><x:c r="AA7"><x:v>1</x:v></x:c></x:row>`
    const xml = `<x:worksheet xmlns:x="${main}"><x:sheetData>${body}</x:sheetData></x:worksheet>`
    const rows = await parseWorkbook(await packed(parts(xml)))
    expect(rows.map(({ number }) => number)).toEqual([2, 7])
    expect(rows[0]?.cells).toEqual([null, 'here'])
    expect(rows[1]?.cells).toHaveLength(27)
  })

  test('ten thousand rows and a header are taken, one more is not', async () => {
    const small = { ...sheetLimits, rows: 11 }
    const rows = (count: number) => Array.from({ length: count }, () => row(inline('x'))).join('')
    expect(await refusal(await packed(parts(worksheet(rows(11)))), small)).toBe('taken')
    expect(await refusal(await packed(parts(worksheet(rows(12)))), small)).toBe('tooManyRows')
    // Rows with nothing in them are no rows, however many there are.
    expect(await refusal(await packed(parts(worksheet(rows(11) + '<row/>'.repeat(1000)))), small)).toBe('taken')
  })
})

describe('what a stranger may send', () => {
  const whole = () => parts(worksheet(row(inline('x'))))

  test.each<[string, () => Promise<Buffer> | Buffer, Reason]>([
    ['nothing', () => Buffer.alloc(0), 'notAWorkbook'],
    ['an old .xls or an encrypted workbook', () => Buffer.from('d0cf11e0a1b11ae1'.repeat(10), 'hex'), 'notAWorkbook'],
    ['a page with the right extension', () => Buffer.from('<html>PK</html>'), 'notAWorkbook'],
    ['an archive of something else', () => packed({ 'hello.txt': 'x' }), 'notAWorkbook'],
    ['half an archive', async () => (await packed(whole())).subarray(0, 400), 'damaged'],
    [
      'an archive without its sheet',
      () =>
        packed({
          '[Content_Types].xml': types(),
          'xl/workbook.xml': '<workbook/>',
          'xl/_rels/workbook.xml.rels': '<Relationships/>',
        }),
      'damaged',
    ],
    ['broken XML', () => packed(parts('<worksheet><sheetData><row></worksheet>')), 'damaged'],
    [
      'text that is not UTF-8',
      () =>
        packed(
          Object.entries(whole()).map(([name, text]) => ({
            name,
            content: [name.includes('sheet1') ? Buffer.from([0x3c, 0x61, 0xff, 0x3e]) : Buffer.from(text)],
          })),
        ),
      'damaged',
    ],
    ['a document type', () => packed(parts(`<!DOCTYPE worksheet>${worksheet('')}`)), 'unsafe'],
    [
      'an external entity',
      () =>
        packed(
          parts(
            `<!DOCTYPE w [<!ENTITY x SYSTEM "file:///etc/passwd">]><worksheet xmlns="${main}"><sheetData><row><c t="inlineStr"><is><t>&x;</t></is></c></row></sheetData></worksheet>`,
          ),
        ),
      'unsafe',
    ],
    [
      'entities that grow',
      () =>
        packed(
          parts(
            `<!DOCTYPE w [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>${worksheet(row(inline('&b;')))}`,
          ),
        ),
      'unsafe',
    ],
    ['an entity nobody declared', () => packed(parts(worksheet(row(inline('&x;'))))), 'damaged'],
    ['macros', () => packed({ ...whole(), 'xl/vbaProject.bin': 'x' }), 'unsafe'],
    [
      'a macro type',
      () =>
        packed({ ...whole(), '[Content_Types].xml': types('application/vnd.ms-excel.sheet.macroEnabled.main+xml') }),
      'unsafe',
    ],
    ['a link to another file', () => packed({ ...whole(), 'xl/externalLinks/externalLink1.xml': '<x/>' }), 'unsafe'],
    ['an embedded object', () => packed({ ...whole(), 'xl/embeddings/oleObject1.bin': 'x' }), 'unsafe'],
    ['a part outside the archive', () => packed({ ...whole(), '../../evil.xml': 'x' }), 'damaged'],
    ['a part with an absolute name', () => packed({ ...whole(), '/etc/evil.xml': 'x' }), 'damaged'],
    ['a part with a drive letter', () => packed({ ...whole(), 'C:\\evil.xml': 'x' }), 'damaged'],
    [
      'the same part twice',
      () =>
        packed(
          [...Object.entries(whole()), ['xl/workbook.xml', '<workbook/>'] as const].map(([name, text]) => ({
            name,
            content: [Buffer.from(text)],
          })),
        ),
      'damaged',
    ],
    [
      'a thousand and one parts',
      () =>
        packed({ ...whole(), ...Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`xl/media/${n}`, ''])) }),
      'tooLarge',
    ],
    ['a cell in the last column', () => packed(parts(worksheet(`<row><c r="XFD1"><v>1</v></c></row>`))), 'tooLarge'],
    ['a cell longer than a cell', () => packed(parts(worksheet(row(inline('x'.repeat(32_768)))))), 'tooLarge'],
  ])('is refused: %s', async (_, make, reason) => {
    expect(await refusal(await make())).toBe(reason)
  })

  test('merged ranges, a lying size and a million styles cost nothing', async () => {
    const styles = `<styleSheet xmlns="${main}">${'<xf/>'.repeat(1_000_000)}</styleSheet>`
    const sheet = worksheet(
      row(inline('x')),
      '<dimension ref="A1:XFD1048576"/>',
      '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>',
    )
    expect(await parseWorkbook(await packed(parts(sheet, { 'xl/styles.xml': styles })))).toEqual([
      { number: 1, cells: ['x'] },
    ])
  }, 240_000)

  test('a small file that inflates without end is cut off by what is counted, not by what it says', async () => {
    const bomb = function* (bytes: number) {
      yield Buffer.from(`<sst xmlns="${main}"><si><t>`)
      for (let sent = 0; sent < bytes; sent += 1_000_000) yield Buffer.alloc(1_000_000, 'a')
      yield Buffer.from('</t></si></sst>')
    }
    const withStrings = (bytes: number): ZipPart[] => [
      ...Object.entries(whole()).map(([name, text]) => ({ name, content: [Buffer.from(text)] })),
      { name: 'xl/sharedStrings.xml', content: bomb(bytes) },
    ]
    const file = await packed(withStrings(100_000_000))
    expect(file.length).toBeLessThan(2_000_000)
    expect(await refusal(file)).toBe('tooLarge')
    // The index claims a kilobyte.
    const lying = await packed(withStrings(20_000_000))
    const entry = lying.lastIndexOf('xl/sharedStrings.xml')
    lying.writeUInt32LE(1000, entry - 46 + 24)
    expect(['tooLarge', 'damaged']).toContain(await refusal(lying))
  }, 240_000)

  test('parts that lie over each other are refused', async () => {
    const file = await packed(whole())
    const first = file.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]))
    const second = file.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]), first + 4)
    file.writeUInt32LE(file.readUInt32LE(first + 42), second + 42)
    expect(await refusal(file)).toBe('damaged')
  })

  test('names of the language’s own insides are headers like any other', async () => {
    const rows = await parseWorkbook(await packed(parts(worksheet(row(inline('__proto__'), inline('constructor'))))))
    expect(rows[0]?.cells).toEqual(['__proto__', 'constructor'])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test('a thread of its own reads it and tells why it did not', async () => {
    expect(await readSheet(await packed(whole()))).toEqual({ rows: [{ number: 1, cells: ['x'] }] })
    await expect(readSheet(Buffer.from('nothing like it'))).rejects.toMatchObject({ reason: 'notAWorkbook' })
  }, 240_000)
})
