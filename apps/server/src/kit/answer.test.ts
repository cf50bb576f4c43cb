import { fileErrors, gatewayErrors } from '@campanile/contract'
import { describe, expect, it } from 'vitest'
import { toAppError } from './answer.ts'

const fault = (about: object, message = 'fault') => toAppError(Object.assign(new Error(message), about)).code
const later = gatewayErrors.serviceTimeout.code

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
    expect(fault(about)).toBe(gatewayErrors.serverError.code)
  })

  it.each([[{ code: 'ENOSPC', syscall: 'write' }], [{ code: '53100' }]])('names a full disk: %j', (about) => {
    expect(fault(about)).toBe(fileErrors.diskFull.code)
  })
})
