import { describe, expect, test } from 'vitest'
import { decodeText, rowsOfText } from './csv.ts'
import { sheetLimits } from './parse.ts'

describe('a table saved as text', () => {
  const parseCsv = (file: Buffer, limits = sheetLimits) => rowsOfText(decodeText(file).text, limits)
  const big5 = Buffer.from('a7c7b8b92cb3c6b5f90d0a48502d312caddcae77aaf9a466aababef7beb90d0a', 'hex')
  const gbk = Buffer.from('d0f2c1d0bac52cb1b8d7a20d0a48502d312cc4c0d0d0', 'hex')

  test.each([
    [
      'UTF-8 with a mark',
      Buffer.from('\ufeffsn,note\r\nHP-1,"a ""b"", c"\r\n\r\nHP-2,\r\n'),
      [
        ['sn', 'note'],
        ['HP-1', 'a "b", c'],
        ['HP-2', null],
      ],
    ],
    [
      'semicolons',
      Buffer.from('sn;note\nHP-1;"two\nlines"'),
      [
        ['sn', 'note'],
        ['HP-1', 'two\nlines'],
      ],
    ],
    [
      'tabs in UTF-16',
      Buffer.from('\ufeffsn\t备注\nHP-1\tx', 'utf16le'),
      [
        ['sn', '备注'],
        ['HP-1', 'x'],
      ],
    ],
    [
      'the Chinese code page',
      gbk,
      [
        ['序列号', '备注'],
        ['HP-1', '睦行'],
      ],
    ],
    [
      'the code page of Traditional Chinese',
      big5,
      [
        ['序號', '備註'],
        ['HP-1', '倉庫門口的機器'],
      ],
    ],
    [
      'UTF-16 without its mark',
      Buffer.from('sn,備註\nHP-1,x', 'utf16le'),
      [
        ['sn', '備註'],
        ['HP-1', 'x'],
      ],
    ],
    ['UTF-16 the other way round', Buffer.from('\ufeffsn,x', 'utf16le').swap16(), [['sn', 'x']]],
    [
      'a quotation mark nobody closes',
      Buffer.from('a,"b\nc,d'),
      [
        ['a', '"b'],
        ['c', 'd'],
      ],
    ],
  ])('is read: %s', (_, file, cells) => {
    expect(parseCsv(file).map((each) => each.cells)).toEqual(cells)
  })

  test('says how it was read, and when it is not sure', () => {
    expect(decodeText(Buffer.from('sn'))).toMatchObject({ encoding: 'utf-8', unsure: false })
    expect(decodeText(big5)).toMatchObject({ encoding: 'big5', unsure: false })
    const much = Buffer.concat([gbk, gbk, gbk])
    expect(decodeText(much, 'zh-tw')).toMatchObject({ encoding: 'gb18030', unsure: false })
    const either = Buffer.from('a4a4a4e5b3c6b5f9b4fab8d5', 'hex')
    expect(decodeText(either, 'zh-tw')).toEqual({ text: '中文備註測試', encoding: 'big5', unsure: true })
    const few = Buffer.from('a7c7b8b90d0a48502d310d0a', 'hex')
    expect(decodeText(few, 'zh-tw')).toEqual({ text: '序號\r\nHP-1\r\n', encoding: 'big5', unsure: true })
    expect(decodeText(few, 'zh-cn')).toMatchObject({ encoding: 'gb18030', unsure: true })
  })

  test('keeps the numbers of its rows, and is refused with too many of them or when it is no text', () => {
    expect(parseCsv(Buffer.from('a\n\nb')).map((each) => each.number)).toEqual([1, 3])
    const limits = { ...sheetLimits, rows: 2 }
    expect(() => parseCsv(Buffer.from('a\nb\nc'), limits)).toThrow('tooManyRows')
    expect(() => parseCsv(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]))).toThrow('notAWorkbook')
    expect(() => parseCsv(Buffer.from('<html>'))).toThrow('notAWorkbook')
  })

  test.each([
    ['empty lines', `sn\n${'\n'.repeat(100_000)}`, 'tooManyRows'],
    ['columns', `sn\n${','.repeat(100_000)}`, 'tooLarge'],
    ['quotation marks', `sn\n"${'""'.repeat(4_000_000)}"`, 'tooLarge'],
    ['quotation marks that close nothing', `sn\n${'"'.repeat(4_000_001)}`, 'tooLarge'],
  ])('of nothing but %s is left as soon as it is too much', (_, text, reason) => {
    expect(() => rowsOfText(text)).toThrow(expect.objectContaining({ reason }))
  })
})
