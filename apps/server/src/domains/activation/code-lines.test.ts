import { describe, expect, it } from 'vitest'
import { linesOf, readLines, rowText } from './code-lines.ts'

const mac = 'AA:BB:CC:DD:EE:FF'

describe('lines of activation codes', () => {
  it.each([
    ['SN-1;ab12cd34;AA:BB:CC:DD:EE:FF;', { sn: 'SN-1', code: 'ab12cd34', mac }],
    ['SN-1;ab12cd34;;', { sn: 'SN-1', code: 'ab12cd34', mac: null }],
    ['  SN-1;ab12cd34;;  ', { sn: 'SN-1', code: 'ab12cd34', mac: null }],
    ['{"sn":"SN-1","activationCode":"ab12cd34","mac":"AA:BB:CC:DD:EE:FF"}', { sn: 'SN-1', code: 'ab12cd34', mac }],
    ['{"sn":"SN-1","random":"ab12cd34"}', { sn: 'SN-1', code: 'ab12cd34', mac: null }],
    ['SN-1', { sn: 'SN-1', code: null, mac: null }],
  ])('reads %s', (text, expected) => {
    expect(readLines(linesOf(text))).toEqual({ lines: [{ line: 1, ...expected }], faults: [] })
  })

  it.each([
    'SN-1;ab12cd34;AA:BB:CC:DD:EE:FF',
    'SN-1;;;',
    'SN-1;ab12cd34;no mac;',
    'SN/1;ab12cd34;;',
    'SN 1',
    `${'x'.repeat(65)};ab12cd34;;`,
    '{"sn":"SN-1",',
    '{"sn":"SN-1","price":1}',
    '{"activationCode":"ab12cd34"}',
    '#',
  ])('refuses %s', (text) => {
    expect(readLines(linesOf(text))).toMatchObject({ lines: [], faults: [{ line: 1, spec: { code: 204030 } }] })
  })

  it('counts blank lines, takes both forms in one text and flags a serial number that comes twice', () => {
    const { lines, faults } = readLines(linesOf('SN-1;ab12cd34;;\r\n\r\n{"sn":"SN-2"}\nnot a line\nSN-1\n'))
    expect(lines.map(({ line, sn }) => [line, sn])).toEqual([
      [1, 'SN-1'],
      [3, 'SN-2'],
    ])
    expect(faults.map(({ line, spec }) => [line, spec.code])).toEqual([
      [4, 204030],
      [5, 204002],
    ])
  })

  it.each([
    [['SN-1'], { code: null, mac: null }],
    [['SN-1', 'ab12cd34'], { code: 'ab12cd34', mac: null }],
    [['SN-1', 'ab12cd34', mac], { code: 'ab12cd34', mac }],
    [['SN-1', null, mac], { code: null, mac }],
    [['SN-1;ab12cd34;;', ''], { code: 'ab12cd34', mac: null }],
    [['{"sn":"SN-1","code":"ab12cd34"}'], { code: 'ab12cd34', mac: null }],
  ])('reads the row %j of a sheet', (cells, expected) => {
    const { lines } = readLines([{ line: 7, text: rowText(cells) }])
    expect(lines).toEqual([{ line: 7, sn: 'SN-1', ...expected }])
  })
})
