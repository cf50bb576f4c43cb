import {
  answering,
  choice,
  date,
  defineResource,
  longText,
  names,
  number,
  once,
  optional,
  readOnly,
  secret,
  startingWith,
  text,
  toggle,
  when,
} from '@campanile/contract/kit'
import { describe, expect, it } from 'vitest'
import {
  changedFields,
  checkAll,
  fieldOfError,
  hasSecrets,
  initialValues,
  isLocked,
  isShown,
  payload,
  withKnown,
  withoutSecrets,
} from './formValues.ts'

const lamp = defineResource({
  name: 'lamp',
  wire: { path: '/api/v1/lamp' },
  fields: {
    name: answering(7001, text(10)),
    socket: once(choice(['E14', 'E27'])),
    watts: startingWith(40, number(1, 60)),
    smart: toggle(),
    schedule: when({ field: 'smart', is: [true] }, toggle()),
    wakeDay: when({ field: 'schedule', is: [true] }, date()),
    label: optional(names(8)),
    pin: secret(8, 64),
    remark: optional(longText(20)),
    lit: readOnly(toggle()),
  },
  list: { columns: ['name'], filters: [], sort: 'name' },
  form: {
    basics: ['name', 'socket', 'watts'],
    smart: ['smart', 'schedule', 'wakeDay'],
    rest: ['label', 'pin', 'remark'],
  },
  perms: { list: 'lamp:list' },
  scope: 'organisation',
})
const row = { id: 3, name: 'Hall', socket: 'E27', watts: 40, smart: false, schedule: false, remark: 'old', lit: true }
const draft = { ...initialValues(lamp), name: 'Hall', socket: 'E27', pin: 'Abc12345!' }

describe('a new form', () => {
  it('starts with what the declaration says, and with what the screen gives', () => {
    expect(initialValues(lamp, undefined, { name: 'Kitchen' })).toMatchObject({
      name: 'Kitchen',
      socket: null,
      watts: 40,
      smart: false,
      pin: '',
    })
  })

  it('sends what is filled in and in sight', () => {
    expect(payload(lamp, initialValues(lamp), draft)).toEqual({
      name: 'Hall',
      socket: 'E27',
      watts: 40,
      smart: false,
      pin: 'Abc12345!',
    })
  })
})

describe('an edit', () => {
  const from = initialValues(lamp, row)
  it('sends the id and only what changed', () => {
    expect(payload(lamp, from, { ...from, watts: 60 }, 3)).toEqual({ id: 3, watts: 60 })
  })

  it('sends null for what was emptied and nothing for a blank secret', () => {
    expect(payload(lamp, from, { ...from, remark: '', pin: '' }, 3)).toEqual({ id: 3, remark: null })
  })

  it('is not held up by a value that an older rule let in and nobody touched', () => {
    const old = { ...from, watts: -7 }
    expect(checkAll(lamp, { ...old, name: 'New' }, old)).toEqual({})
    expect(checkAll(lamp, { ...old, watts: -8 }, old)).toHaveProperty('watts')
    expect(checkAll(lamp, { ...old, name: '' }, old)).toHaveProperty('name')
  })

  it('is clean when a value was changed and put back, or one blank became another', () => {
    expect(changedFields(lamp, from, { ...from, label: undefined, watts: 40 })).toEqual([])
  })

  it('locks what is fixed after the first save and never sends it', () => {
    expect(isLocked(lamp, 'socket', true)).toBe(true)
    expect(isLocked(lamp, 'socket', false)).toBe(false)
    expect(payload(lamp, from, { ...from, socket: 'E14' }, 3)).toEqual({ id: 3 })
  })
})

describe('fields behind a condition', () => {
  it('are in sight only while every condition above them holds', () => {
    expect(isShown(lamp, 'wakeDay', { smart: true, schedule: true })).toBe(true)
    expect(isShown(lamp, 'wakeDay', { smart: true, schedule: false })).toBe(false)
    expect(isShown(lamp, 'wakeDay', { smart: false, schedule: true })).toBe(false)
  })

  it('are neither asked for nor sent while hidden, and required when shown', () => {
    const hidden = { ...draft, smart: false, schedule: true, wakeDay: '2026-09-01' }
    expect(payload(lamp, initialValues(lamp), hidden)).not.toHaveProperty('wakeDay')
    expect(checkAll(lamp, { ...draft, smart: true, schedule: true }, undefined)).toEqual({
      wakeDay: { key: 'kit.error.choose' },
    })
  })
})

describe('the rules', () => {
  it('ask for what is required and accept a complete draft', () => {
    expect(Object.keys(checkAll(lamp, initialValues(lamp), undefined))).toEqual(['name', 'socket', 'pin'])
    expect(checkAll(lamp, draft, undefined)).toEqual({})
  })

  it('say the limit that was broken', () => {
    const wrong = { ...draft, name: 'x'.repeat(11), watts: 61, label: { en: 'Lamp' } }
    expect(checkAll(lamp, wrong, undefined)).toEqual({
      name: { key: 'kit.error.tooLong', values: { max: 10 } },
      watts: { key: 'kit.error.range', values: { min: 1, max: 60 } },
      label: { key: 'kit.error.format.names' },
    })
  })

  it('do not ask for a secret again on edit', () => {
    expect(checkAll(lamp, initialValues(lamp, row), {})).toEqual({})
  })
})

describe('a refused save', () => {
  it('marks the field the server names, else the one that answers with the code', () => {
    expect(fieldOfError(lamp, { code: 100002, field: 'watts' })).toBe('watts')
    expect(fieldOfError(lamp, { code: 7001 })).toBe('name')
  })

  it('marks no field when it is about none of the form’s', () => {
    expect(fieldOfError(lamp, { code: 100005 })).toBeUndefined()
    expect(fieldOfError(lamp, { code: 100002, field: 'lit' })).toBeUndefined()
  })
})

describe('what a browser may keep of a half-filled form', () => {
  it('is everything but secrets, and it is known that one is missing', () => {
    expect(withoutSecrets(lamp, draft)).toMatchObject({ name: 'Hall', socket: 'E27' })
    expect(withoutSecrets(lamp, draft)).not.toHaveProperty('pin')
    expect([hasSecrets(lamp, draft), hasSecrets(lamp, initialValues(lamp))]).toEqual([true, false])
  })

  it('comes back into the fields the form still has', () => {
    expect(withKnown(initialValues(lamp), { name: 'Hall', colour: 'red' })).not.toHaveProperty('colour')
  })
})
