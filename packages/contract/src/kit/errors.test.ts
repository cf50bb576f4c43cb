import { describe, expect, it } from 'vitest'
import { AppError, defineErrors, isSuccess, parseSubject } from './errors.ts'

const errors = defineErrors({
  busy: { code: 1, status: 409, values: ['sn'] },
  empty: { code: 2, status: 400, field: 'name' },
})

describe('an application error', () => {
  it('carries its code, its status and what its text needs', () => {
    const error = new AppError(errors.busy, { sn: 'A-1', holder: 'li' })
    expect(error).toMatchObject({ code: 1, status: 409, field: undefined, data: { sn: 'A-1', holder: 'li' } })
    expect(error).toBeInstanceOf(Error)
  })

  it('names the field to mark and needs no data when its text names nothing', () => {
    expect(new AppError(errors.empty)).toMatchObject({ code: 2, field: 'name', data: undefined })
  })

  it('does not compile without the values its text names', () => {
    // @ts-expect-error the serial number is missing
    expect(new AppError(errors.busy).code).toBe(1)
    // @ts-expect-error a list would read badly in a sentence
    expect(new AppError(errors.busy, { sn: ['A-1'] }).code).toBe(1)
  })
})

it.each([
  [100000, true],
  [20000, true],
  [100028, false],
  [0, false],
  [undefined, false],
  ['100000', false],
])('code %s counts as success: %s', (code, expected) => {
  expect(isSuccess(code)).toBe(expected)
})

describe('the subject of a message', () => {
  it.each([
    ['A task is still running: SN0042', 'SN0042'],
    ['该设备正在升级：SN0042', 'SN0042'],
    ['12:30 refused：a-b_c.d ', 'a-b_c.d'],
    ['one: two: three', 'three'],
    ['：SN1:SN2', 'SN2'],
    ['two lines:\nSN0042\n', 'SN0042'],
    ['no colon here', undefined],
    ['nothing after:', undefined],
    ['only spaces：  ', undefined],
    ['', undefined],
  ])('of %j is %j', (message, subject) => {
    expect(parseSubject(message)).toBe(subject)
  })
})
