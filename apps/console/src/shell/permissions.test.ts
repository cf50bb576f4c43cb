// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { isPermitted } from './permissions.ts'

const granted = ['system:user:list', 'system:user:add']

describe('permission checks', () => {
  it('single, any of, all of', () => {
    expect(isPermitted(granted, 'system:user:add')).toBe(true)
    expect(isPermitted(granted, 'system:user:delete')).toBe(false)
    expect(isPermitted(granted, { any: ['system:user:delete', 'system:user:add'] })).toBe(true)
    expect(isPermitted(granted, { any: ['system:user:delete'] })).toBe(false)
    expect(isPermitted(granted, { all: ['system:user:list', 'system:user:add'] })).toBe(true)
    expect(isPermitted(granted, { all: ['system:user:list', 'system:user:delete'] })).toBe(false)
  })

  it('"all" grants everything as the first entry and nothing elsewhere', () => {
    expect(isPermitted(['all', 'x'], 'rki:key:import')).toBe(true)
    expect(isPermitted(['x', 'all'], 'rki:key:import')).toBe(false)
  })

  it('what the server did not grant is granted to nobody, group membership too', () => {
    expect(isPermitted(['device:group:list'], 'device:groupRel:save')).toBe(false)
    expect(isPermitted(['device:group:edit', 'device:groupRel:save'], 'device:groupRel:save')).toBe(true)
  })

  it.each(['iot:apkHistory:retry', 'iot:otaHistory:retry'])('%s needs its own grant, or "all"', (permission) => {
    expect(isPermitted(['iot:apkHistory:list', 'iot:otaHistory:list'], permission)).toBe(false)
    expect(isPermitted([permission], permission)).toBe(true)
    expect(isPermitted(['all'], permission)).toBe(true)
  })
})
