import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type SheetLimits, SheetRefusal, sheetLimits } from './parse.ts'
import { readSheet } from './read.ts'
import { parseOldWorkbook } from './xls.ts'

const fixture = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url))
const workbook = fixture('excel-97.xls')
const refusal = (bytes: Buffer, limits: SheetLimits = sheetLimits) => {
  try {
    parseOldWorkbook(bytes, limits)
    return 'taken'
  } catch (error) {
    return error instanceof SheetRefusal ? error.reason : (error as Error).name
  }
}

describe('an old workbook', () => {
  it('gives texts in any script, also those its table cuts in two, and numbers, of its first sheet only', () => {
    const rows = parseOldWorkbook(workbook, sheetLimits)
    expect(rows).toHaveLength(184)
    expect(rows[0]).toEqual({ number: 1, cells: ['序列号', 'Note'] })
    for (const [at, { cells }] of rows.slice(1, 181).entries()) {
      const number = at + 1
      const note = number % 2 ? `设备 №${number} ${'長い注釈'.repeat(6)}` : `plain note ${number} `.repeat(3)
      expect(cells).toEqual([`HP-${String(number).padStart(4, '0')}`, note])
    }
    expect(rows.slice(181)).toEqual([
      { number: 182, cells: ['20260001', '12.5'] },
      { number: 183, cells: ['TRUE'] },
      { number: 185, cells: ['after a gap'] },
    ])
  })

  const patched = (change: (bytes: Buffer) => void) => {
    const bytes = Buffer.from(workbook)
    change(bytes)
    return parseOldWorkbook(bytes, sheetLimits)
  }

  it('is read without the sheets that are hidden', () => {
    const name = Buffer.from('Ger\xe4te', 'latin1')
    const rows = patched((bytes) => bytes.writeUInt8(1, bytes.indexOf(name) - 4))
    expect(rows[0]?.cells).not.toEqual(['序列号', 'Note'])
  })

  it('shows days as days, by its own calendar, and tells of cells that failed', () => {
    const dated = (bytes: Buffer) => bytes.write('yyyy-mm', bytes.indexOf('General'), 'latin1')
    expect(patched(dated)[181]?.cells).toEqual(['20260001', '1900-01-11 12:00:00'])
    const since1904 = (bytes: Buffer) => bytes.writeUInt8(1, bytes.indexOf(Buffer.from('220002000000', 'hex')) + 4)
    const rows = patched((bytes) => {
      dated(bytes)
      since1904(bytes)
      // The truth in row 183 becomes what a formula came to that found nothing.
      bytes.write('2a01', bytes.indexOf(Buffer.from('05020800b600000011000100', 'hex')) + 10, 'hex')
    })
    expect(rows[181]).toMatchObject({ cells: ['20260001', '1904-01-13 12:00:00'], since1904: true })
    expect(rows[182]).toMatchObject({ cells: ['#N/A'], faults: { 0: 'failed' } })
  })

  it('is read when it is so small that it lies in small sectors', () => {
    expect(parseOldWorkbook(fixture('small.xls'), sheetLimits).map(({ cells }) => cells)).toEqual([
      ['sn'],
      ['HP-1'],
      ['42'],
      ['1.25'],
    ])
  })

  it('is read in the thread that reads every sheet', async () => {
    expect((await readSheet(workbook)).rows).toHaveLength(184)
  })

  it('with too many rows is refused for that', () => {
    expect(refusal(workbook, { ...sheetLimits, rows: 100 })).toBe('tooManyRows')
  })

  it('cut short or broken anywhere ends in a refusal or in rows, never in an endless loop', () => {
    for (let length = 8; length < workbook.length; length += 97) refusal(workbook.subarray(0, length))
    for (let at = 8; at < 2_048; at += 3) {
      const broken = Buffer.from(workbook)
      broken.writeUInt8((broken[at] ?? 0) ^ 0xff, at)
      refusal(broken)
    }
    expect(refusal(Buffer.from('d0cf11e0a1b11ae1'.repeat(100), 'hex'))).toBe('notAWorkbook')
  })
})
