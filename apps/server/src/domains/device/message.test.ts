import { protocol } from '@campanile/contract'
import { describe, expect, it } from 'vitest'
import { readMessage } from './message.ts'

const now = Date.UTC(2026, 0, 31)
const dayMs = 86_400_000
const read = (body: unknown, kind: 'state' | 'event' | 'hello' | 'reply' = 'state') =>
  readMessage(kind, typeof body === 'string' ? body : JSON.stringify(body), now)

describe('a number', () => {
  const edges = ['1e308', '-1e308', '1e999', '9007199254740993', '1e22', 'NaN', 'Infinity', '0x10', '1_000', '01', '1.']
  for (const [name, schema] of Object.entries(protocol.stateValues)) {
    if (schema.type !== 'number') continue
    it.each(edges)(`of ${name} is not taken as %s`, (text) => {
      expect(read(`{"ts":${now},"${name}":${text}}`)).toHaveProperty('fault')
    })
    it(`of ${name} has a lowest and a highest value`, () => {
      const { minValue, maxValue } = schema as unknown as { minValue: number; maxValue: number }
      expect([minValue, maxValue].every(Number.isFinite)).toBe(true)
      for (const value of [minValue, maxValue])
        expect(read({ ts: now, [name]: value })).toMatchObject({ body: { [name]: value } })
    })
  }

  it('that is next to nothing is nothing', () => {
    for (const text of ['-0', '5e-324', '-5e-324', '2.2250738585072014e-308', '1e-31'])
      expect(read(`{"ts":${now},"cpuTemperature":${text}}`)).toMatchObject({ body: { cpuTemperature: 0 } })
  })

  it.each([['-1'], ['1.5'], ['1e300'], [String(protocol.tsMax + 1)], ['"1"'], ['null']])('%s is no time', (text) => {
    for (const kind of ['state', 'event', 'hello'] as const)
      expect(read(`{"id":"e","type":"t","ts":${text}}`, kind)).toMatchObject({ fault: 'invalidValue' })
  })

  it.each([['1e22'], ['-1e308'], ['1e999']])('%s is refused in what a device makes up itself', (text) => {
    expect(read(`{"id":"e","ts":${now},"type":"t","data":{"a":[{"b":${text}}]}}`, 'event')).toHaveProperty('fault')
    expect(read(`{"id":"1-1","state":"done","result":{"a":${text}}}`, 'reply')).toHaveProperty('fault')
  })
})

describe('what is refused', () => {
  it.each([
    ['state', { battery: 101 }, { field: 'battery', fault: 'tooLarge', expected: '100' }],
    ['state', { signal: -201 }, { field: 'signal', fault: 'tooSmall', expected: '-200' }],
    ['state', { battery: 'hunter2' }, { field: 'battery', fault: 'wrongKind', expected: 'number' }],
    ['state', { locked: 1 }, { field: 'locked', fault: 'wrongKind', expected: 'boolean' }],
    ['state', { ts: 1.5 }, { field: 'ts', fault: 'wrongKind', expected: 'int' }],
    ['state', { mobileUp: 1e308 }, { field: 'mobileUp', fault: 'tooLarge', expected: '40000000000000' }],
    ['state', { ssid: null }, { field: 'ssid', fault: 'wrongKind', expected: 'string' }],
    ['state', { ssid: 'hunter2'.repeat(50) }, { field: 'ssid', fault: 'tooLong', expected: '128' }],
    [
      'state',
      { robotState: 'hunter2' },
      { field: 'robotState', fault: 'notOneOf', expected: 'working, idle, charging, breakdown' },
    ],
    ['state', '[]', { fault: 'notObject' }],
    ['state', '{"password": "hunter2", }', { fault: 'noJson' }],
    ['state', '{"password": hunter2}', { fault: 'noJson' }],
    ['state', '', { fault: 'noJson' }],
    ['state', `{"a":${'['.repeat(20)}${']'.repeat(20)}}`, { fault: 'tooDeep', expected: '8' }],
    [
      'state',
      Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`n${at}`, 1])),
      { fault: 'tooManyNames', expected: '1000' },
    ],
    ['event', { type: 't' }, { field: 'id', fault: 'missing' }],
    ['event', { id: '', type: 't' }, { field: 'id', fault: 'tooShort', expected: '1' }],
    ['event', { id: 'e', type: 't', data: { a: 1e22 } }, { field: 'data', fault: 'wrongFormat' }],
    ['hello', { apps: [{ package: 'a' }, { name: 'b' }] }, { field: 'apps.1.package', fault: 'missing' }],
    ['hello', { capabilities: Array(201).fill('x') }, { field: 'capabilities', fault: 'tooMany', expected: '200' }],
    ['hello', { apps: {} }, { field: 'apps', fault: 'wrongKind', expected: 'array' }],
  ] as const)('in %s %j says which part is wrong and how, and nothing of what was sent', (kind, body, wrong) => {
    const answer = read(body, kind)
    const isUnreadable = ['noJson', 'tooDeep', 'tooManyNames'].includes(wrong.fault)
    expect(answer).toEqual({ fault: isUnreadable ? 'malformed' : 'invalidValue', wrong })
    expect(JSON.stringify(answer)).not.toContain('hunter2')
  })
})

describe('a time', () => {
  it('further ahead than clocks run, or older than points are kept, is refused by its name', () => {
    const limit = protocol.pointDays * dayMs
    expect(read({ ts: now + protocol.clockAheadMs, cpu: 1 })).toHaveProperty('body')
    expect(read({ ts: now + protocol.clockAheadMs + 1, cpu: 1 })).toEqual({
      fault: 'clockAhead',
      clockOffset: protocol.clockAheadMs + 1,
    })
    expect(read({ ts: now - limit, cpu: 1 })).toHaveProperty('body')
    expect(read({ ts: now - limit - 1, cpu: 1 })).toEqual({ fault: 'tooOld' })
    // Events are kept by when they came in.
    expect(read({ id: 'e', type: 't', ts: protocol.tsSet }, 'event')).toMatchObject({ received: false })
  })

  it('of an event told by a clock that nobody has set is the time of receipt', () => {
    expect(read({ id: 'e', type: 't', ts: 5 }, 'event')).toMatchObject({ body: { ts: now }, received: true })
  })

  it('that is left out is the time of receipt, and is marked', () => {
    expect(read({ cpu: 1 })).toEqual({ kind: 'state', body: { ts: now, cpu: 1 }, received: true })
    expect(read({ id: 'e', type: 't' }, 'event')).toMatchObject({ body: { ts: now }, received: true })
    expect(read({ ts: now, cpu: 1 })).toMatchObject({ received: false })
  })
})

it('that is JSON, but not as the protocol allows, is told apart from what is no JSON', () => {
  expect(read({ ts: now, battery: 140 })).toMatchObject({ fault: 'invalidValue', wrong: { field: 'battery' } })
  expect(read({ ts: now, battery: 'full' })).toMatchObject({ fault: 'invalidValue' })
  expect(read('[1]')).toMatchObject({ fault: 'invalidValue' })
  expect(read('{"battery":')).toMatchObject({ fault: 'malformed' })
})

describe('an object of the device’s own', () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
  const withData = (data: string) => read(`{"id":"e","ts":1,"type":"t","data":${data}}`, 'event')

  it('is as deep as the protocol says and no deeper', () => {
    expect(withData(nested(protocol.depthMax - 1))).toHaveProperty('body')
    expect(withData(nested(protocol.depthMax))).toMatchObject({ fault: 'malformed' })
    expect(withData(nested(10_000))).toMatchObject({ fault: 'malformed' })
    expect(withData(`{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`)).toMatchObject({ fault: 'malformed' })
  })

  it('has names of a bounded length and no characters that a database cannot keep', () => {
    expect(withData(`{"${'n'.repeat(protocol.nameMax + 1)}":1}`)).toMatchObject({ fault: 'invalidValue' })
    expect(withData('{"a\\u0000b":"c\\u0000\\ud800d\\u202e","__proto__":{"x":1}}')).toMatchObject({
      body: { data: { ab: 'cd' } },
    })
  })
})
