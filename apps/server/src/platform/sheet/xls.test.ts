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
