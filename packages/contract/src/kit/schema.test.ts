import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import {
  choice,
  defineResource,
  longText,
  number,
  once,
  optional,
  readOnly,
  secret,
  text,
  timestamp,
  toggle,
  when,
} from './index.ts'
import { draftSchema, exportSchema, listSchema, patchSchema, removeSchema } from './schema.ts'

const lamp = defineResource({
  name: 'lamp',
  wire: { path: '/api/v1/lamp', idsKey: 'lampIds' },
  fields: {
    name: text(10),
    socket: once(choice(['E14', 'E27'])),
    watts: number(1, 60),
    dimmable: toggle(),
    curve: when({ field: 'dimmable', is: [true] }, text(5)),
    remark: optional(longText(20)),
    pin: secret(4, 8),
    lit: readOnly(toggle()),
    createTime: readOnly(timestamp()),
  },
  list: {
    columns: ['name', 'watts', 'createTime'],
    filters: ['name', 'socket', 'dimmable', 'createTime'],
    sort: 'name',
  },
  perms: { list: 'lamp:list', create: 'lamp:add', update: 'lamp:edit', remove: 'lamp:delete', export: 'lamp:export' },
  scope: 'organisation',
})
const refused = (schema: z.ZodType, value: unknown) => !schema.safeParse(value).success

describe('a draft', () => {
  const draft = { name: ' Hall ', socket: 'E27', watts: 40, pin: 'cipher' }
  it('is trimmed and takes what is declared', () => {
    expect(draftSchema(lamp).parse(draft)).toMatchObject({ name: 'Hall', socket: 'E27' })
  })
  it('refuses what people do not write, what is unknown, and prototypes', () => {
    expect(refused(draftSchema(lamp), { ...draft, lit: true })).toBe(true)
    expect(refused(draftSchema(lamp), { ...draft, colour: 'red' })).toBe(true)
    expect(
      refused(
        draftSchema(lamp),
        JSON.parse('{"name":"a","socket":"E27","watts":1,"pin":"x","__proto__":{"admin":true}}'),
      ),
    ).toBe(true)
  })
  it('refuses what is too long, out of range, of another type or holds control characters', () => {
    for (const wrong of [
      { name: 'x'.repeat(11) },
      { watts: 0 },
      { watts: '40' },
      { watts: Number.POSITIVE_INFINITY },
      { name: ['Hall'] },
      { name: 'a\u0000b' },
      { name: ' ' },
    ])
      expect(refused(draftSchema(lamp), { ...draft, ...wrong })).toBe(true)
  })
})

describe('a patch', () => {
  it('carries only what changes and never a field fixed after saving', () => {
    expect(patchSchema(lamp).parse({ id: 1, watts: 5 })).toEqual({ id: 1, watts: 5 })
    expect(refused(patchSchema(lamp), { id: 1, socket: 'E14' })).toBe(true)
  })
  it('reads a blank as empty where that is allowed, and as unchanged for a secret', () => {
    expect(patchSchema(lamp).parse({ id: 1, remark: '', pin: '' })).toEqual({ id: 1, remark: null, pin: null })
    expect(refused(patchSchema(lamp), { id: 1, name: '' })).toBe(true)
  })
})

describe('a list query', () => {
  const list = listSchema(lamp)
  it.each(['0', '200', '1e9', 'abc', '-1', '1.5', ''])('refuses page size %s', (pageSize) => {
    expect(refused(list, { pageSize })).toBe(true)
  })
  it('takes 1 to 199, 10 unless told', () => {
    expect(list.parse({})).toMatchObject({ page: 1, pageSize: 10 })
    expect(list.parse({ pageSize: '199' })).toMatchObject({ pageSize: 199 })
  })
  it('refuses a repeated single value, an unknown filter and an unknown order', () => {
    for (const wrong of [{ page: ['1', '2'] }, { lit: 'true' }, { sort: 'pin' }, { sort: '-remark' }])
      expect(refused(list, wrong)).toBe(true)
  })
  it('takes one or several codes, and a range of time', () => {
    expect(list.parse({ socket: 'E14' })).toMatchObject({ socket: ['E14'] })
    expect(list.parse({ socket: ['E14', 'E27'] })).toMatchObject({ socket: ['E14', 'E27'] })
    expect(list.parse({ startTime: '2026-09-01T00:00:00Z' })).toMatchObject({ startTime: '2026-09-01T00:00:00Z' })
    expect(refused(list, { socket: 'GU10' })).toBe(true)
  })
})

describe('ids of a delete', () => {
  it('come as JSON numbers or as text of a query, under the resource’s own key', () => {
    expect(removeSchema(lamp).parse({ lampIds: [1, 2] })).toEqual({ lampIds: [1, 2] })
    expect(removeSchema(lamp).parse({ lampIds: ['1', '2'] })).toEqual({ lampIds: [1, 2] })
    expect(removeSchema(lamp).parse({ lampIds: '7' })).toEqual({ lampIds: [7] })
  })
  it.each([[[]], [['x']], [[-1]], [null], [Array(10_001).fill(1)]])('refuse %j', (lampIds) => {
    expect(refused(removeSchema(lamp), { lampIds })).toBe(true)
  })
})

describe('an export', () => {
  it('takes the filters of the list and refuses columns that are not its own', () => {
    expect(exportSchema(lamp).parse({ filters: { name: 'x' }, columns: ['name'] })).toMatchObject({
      filters: { name: 'x' },
    })
    expect(refused(exportSchema(lamp), { columns: ['pin'] })).toBe(true)
  })
})
