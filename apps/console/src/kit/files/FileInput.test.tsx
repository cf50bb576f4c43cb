// @vitest-environment happy-dom
import { ApiError } from '@campanile/client'
import type { Field } from '@campanile/contract/kit'
import { defineResource, file, text } from '@campanile/contract/kit'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import i18next from 'i18next'
import { createElement, useState } from 'react'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import kit from '../../../../../packages/contract/src/texts/en/kit/kit.json'
import { calls } from '../calls.ts'
import { checkField } from '../form/formValues.ts'
import type { InputProps } from '../inputs/input-props.ts'
import { createReader } from '../reader.ts'
import { FileInput } from './FileInput.tsx'

const badge = defineResource({
  name: 'badge',
  wire: { path: '/api/v1/badge' },
  fields: { label: text(), paper: file(16, ['text']) },
  list: { columns: ['label'], filters: [], sort: 'label' },
  form: { basics: ['label', 'paper'] },
  perms: { list: 'badge:list', create: 'badge:add' },
  scope: 'organisation',
})
const texts = { badge: { field: { label: 'Label', paper: 'Paper' } }, kit, error: { 53034: 'Too large.' } }
beforeAll(() => i18next.init({ lng: 'en', resources: { en: { translation: texts } } }))
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

let held: unknown
function Form() {
  const [value, setValue] = useState<unknown>(null)
  held = value
  const props = {
    id: 'paper',
    name: 'paper',
    field: badge.fields.paper as Field,
    resource: badge,
    reader: createReader(badge, i18next),
    value,
    values: {},
    onChange: setValue,
    onBlur: () => undefined,
    invalid: false,
    disabled: false,
    describedBy: undefined,
    row: undefined,
    repeat: '',
    onRepeat: () => undefined,
  } satisfies InputProps
  return createElement(FileInput, props)
}
const choose = (content: string) =>
  fireEvent.change(screen.getByLabelText('Paper'), { target: { files: [new File([content], 'a.txt')] } })
const isSavable = () => checkField(badge, 'paper', { paper: held }, false) === undefined

it('a file that breaks a limit is not sent, and the limit is said before and after', async () => {
  const send = vi.spyOn(calls, 'sendFile')
  render(createElement(Form))
  expect(screen.getByText(/\.txt.*at most 16 B/)).toBeTruthy()
  choose('longer than sixteen bytes')
  expect((await screen.findByRole('alert')).textContent).toContain('16 B')
  expect(send).not.toHaveBeenCalled()
})

it('a chosen file is sent at once, the form waits for it, and holds what the server answered', async () => {
  const value = { id: 7, name: 'a.txt', size: 2, type: 'text/plain' as const }
  let arrive: (answer: typeof value) => void = () => undefined
  vi.spyOn(calls, 'sendFile').mockImplementation((_resource, _field, _file, options) => {
    options?.onProgress?.(0.5)
    return new Promise((resolve) => {
      arrive = resolve
    })
  })
  render(createElement(Form))
  choose('ok')
  const bar = await screen.findByRole('progressbar')
  expect((bar as HTMLProgressElement).value).toBe(0.5)
  expect(isSavable()).toBe(false)
  arrive(value)
  await screen.findByText('a.txt')
  expect(held).toEqual(value)
  expect(isSavable()).toBe(true)
})

it('what the server refuses is said at the field, and the form holds what it held before', async () => {
  const refusal = new ApiError({ kind: 'api', code: 53034, status: 413, message: 'Too large.' })
  vi.spyOn(calls, 'sendFile').mockRejectedValue(refusal)
  render(createElement(Form))
  choose('ok')
  expect((await screen.findByRole('alert')).textContent).toContain('53034')
  await waitFor(() => expect(held).toBeNull())
})
