import { announcement, commonErrors, fileAnswer, fileErrors, readableFields, rowOf } from '@campanile/contract'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { declared, PartialAnswer, RawAnswer, toAppError } from './answer.ts'

const fault = (about: object, message = 'fault') => toAppError(Object.assign(new Error(message), about)).code
const later = commonErrors.serviceTimeout.code

describe('an error that nobody expected', () => {
  it.each([
    ['a database that shuts down', { code: '57P01' }],
    ['a database with no room for another connection', { code: '53300' }],
    ['a line to the database that broke', { code: '08006' }],
    ['a database that is not there, by port', { code: 'ECONNREFUSED', syscall: 'connect' }],
    ['a database that is not there, by socket', { code: 'ENOENT', syscall: 'connect' }],
    ['a database that was cut off', { code: 'ECONNRESET', syscall: 'read' }],
  ])('is answered with "later" for %s', (_, about) => {
    expect(fault(about)).toBe(later)
  })

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'Client has encountered a connection error and is not queryable',
  ])('is answered with "later" where the driver says "%s"', (message) => {
    expect(fault({}, message)).toBe(later)
  })

  it.each([
    ['a file that is missing', { code: 'ENOENT', syscall: 'open', path: '/x' }],
    ['a folder that is missing', { code: 'ENOENT', syscall: 'scandir', path: '/x' }],
    ['a fault of our own', {}],
    ['a statement that is wrong', { code: '42601' }],
  ])('is no outage for %s', (_, about) => {
    expect(fault(about)).toBe(commonErrors.serverError.code)
  })

  it.each([[{ code: 'ENOSPC', syscall: 'write' }], [{ code: '53100' }]])('names a full disk: %j', (about) => {
    expect(fault(about)).toBe(fileErrors.diskFull.code)
  })
})

describe('an answer', () => {
  const answer = z.object({ rows: z.array(z.object({ id: z.number() })), more: z.string().exactOptional() })

  it('holds what is declared and nothing else', () => {
    const told = { rows: [{ id: 1, passwordHash: 'x' }], sealed: 'y' }
    expect(declared(answer, told, 'leaveOut')).toEqual({ rows: [{ id: 1 }] })
    expect(declared(answer, new PartialAnswer(told), 'leaveOut')).toEqual(new PartialAnswer({ rows: [{ id: 1 }] }))
    expect(() => declared(answer, told, 'refuse')).toThrow(/rows\.0\.passwordHash/)
    expect(declared(answer, { rows: [{ id: 1 }] }, 'refuse')).toEqual({ rows: [{ id: 1 }] })
  })

  it('that is not as declared is our fault, not the caller’s', () => {
    const fault = () => declared(answer, { rows: [{ id: '1' }] }, 'leaveOut')
    expect(fault).toThrow()
    try {
      fault()
    } catch (error) {
      expect(toAppError(error).code).toBe(commonErrors.serverError.code)
    }
  })

  it('is a file where a file is declared, and only there', () => {
    const file = new RawAnswer((reply) => reply)
    expect(declared(fileAnswer, file, 'leaveOut')).toBe(file)
    expect(() => declared(fileAnswer, {}, 'leaveOut')).toThrow()
    expect(() => declared(answer, file, 'leaveOut')).toThrow()
  })

  it('shows of a row all its fields, and none that is not one', () => {
    const row = Object.fromEntries(['id', ...readableFields(announcement)].map((name) => [name, null]))
    expect(
      declared(
        rowOf(() => announcement),
        { ...row, creatorId: 7 },
        'leaveOut',
      ),
    ).toEqual(row)
    expect(() =>
      declared(
        rowOf(() => announcement),
        { ...row, creatorId: 7 },
        'refuse',
      ),
    ).toThrow(/creatorId/)
    expect(() =>
      declared(
        rowOf(() => announcement),
        { id: 1 },
        'leaveOut',
      ),
    ).toThrow()
  })
})
