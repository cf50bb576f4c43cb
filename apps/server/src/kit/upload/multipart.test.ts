import { AppError } from '@campanile/contract'
import { describe, expect, it } from 'vitest'
import { createRandom, fuzzRounds, type Random } from '../../test/random.ts'
import { fileOf } from './multipart.ts'

const type = 'multipart/form-data; boundary=b'
const file = (content: string | Buffer, name = 'file') =>
  Buffer.concat([
    Buffer.from(`--b\r\nContent-Disposition: form-data; name="${name}"; filename="a.txt"\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n--b--\r\n'),
  ])
const codeOf = (body: string | Buffer, contentType = type) => {
  try {
    return fileOf(Buffer.from(body), contentType).toString()
  } catch (error) {
    return (error as AppError).code
  }
}

describe('the file of a form', () => {
  it('is what was sent, to the byte', () => {
    const { bytes } = createRandom(1)
    for (const length of [0, 1, 2, 3, 100, 65_536]) {
      const content = bytes(length)
      expect(fileOf(file(content), type)).toEqual(content)
    }
    for (const content of ['\r\n', '\r\n\r\n', 'x--b', '\r\n-', '--'])
      expect(fileOf(file(content), type).toString()).toBe(content)
  })

  it('is found among fields, after a preamble, with a quoted boundary and without quotes', () => {
    const field = '--b\r\nContent-Disposition: form-data; name="other"\r\n\r\nvalue\r\n'
    expect(codeOf(`${field}${file('x')}`)).toBe('x')
    expect(codeOf(`to be passed over\r\n${file('x')}`)).toBe('x')
    expect(codeOf(file('x'), 'multipart/form-data; charset=utf-8; boundary="b"')).toBe('x')
    expect(codeOf('--b\r\ncontent-disposition:form-data;name=file;filename=a\r\n\r\nx\r\n--b--')).toBe('x')
  })

  it.each([
    ['nothing', ''],
    ['no boundary in the body', 'file'],
    ['a part without a blank line', '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n--b--\r\n'],
    ['a part without headers', '--b\r\n\r\nx\r\n--b--\r\n'],
    ['a last line that is missing', file('x').subarray(0, -7)],
    ['a boundary that is cut', file('x').subarray(0, -8)],
    ['two files', `${String(file('x')).slice(0, -4)}${String(file('y')).slice(3)}`],
    ['headers without end', `--b\r\nX: ${'y'.repeat(9_000)}\r\n\r\nx\r\n--b--`],
    ['hundreds of parts', `${'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(300)}--b--`],
    ['boundaries only', '--b\r\n'.repeat(10_000)],
  ])('is refused as unreadable: %s', (_, body) => {
    expect(codeOf(body)).toBe(100003)
  })

  it('is missing when it has another name, or is no file', () => {
    expect(codeOf(file('x', 'other'))).toBe(100001)
    expect(codeOf(file('x', ''))).toBe(100001)
    expect(codeOf('--b--')).toBe(100001)
    expect(codeOf('--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nx\r\n--b--')).toBe(100001)
  })

  it('needs a boundary', () => {
    for (const contentType of ['multipart/form-data', 'multipart/form-data; boundary=', `${type}${'x'.repeat(71)}`])
      expect(codeOf(file('x'), contentType)).toBe(100003)
  })
})

const pieces = [
  '\r\n',
  '--b',
  '--',
  '--b--',
  '\r\n\r\n',
  '\n',
  '\0',
  'Content-Disposition: form-data; ',
  'name="file"',
  '"',
  ';',
]

const spoil = (body: Buffer, { below, pick, bytes }: Random): Buffer => {
  const at = below(body.length + 1)
  const rest = body.subarray(at)
  const change = [
    () => rest.subarray(below(rest.length + 1)),
    () => Buffer.concat([Buffer.from(pick(pieces)), rest]),
    () => Buffer.concat([bytes(1 + below(8)), rest]),
    () => Buffer.concat([rest, rest]),
    () => Buffer.alloc(0),
  ]
  return Buffer.concat([body.subarray(0, at), pick(change)()])
}

it('whatever is done to a form, it is read or refused, and that is the end of it', () => {
  const random = createRandom(20_260_131)
  for (let round = 0; round < 20_000 * fuzzRounds; round += 1) {
    let body: Buffer = file(random.bytes(random.below(64)))
    for (let times = 1 + random.below(4); times > 0; times -= 1) body = spoil(body, random)
    try {
      expect(fileOf(body, type).length).toBeLessThanOrEqual(body.length)
    } catch (error) {
      expect(error, body.toString('base64')).toBeInstanceOf(AppError)
    }
  }
})
