// @vitest-environment happy-dom
import { cleanup, createEvent, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { FieldsForm } from './FieldsForm.tsx'

afterEach(cleanup)

/** Whether the browser would send the form after this key in the field of that name. */
const wouldSend = (field: string, init: KeyboardEventInit) => {
  const input = screen.getByLabelText(field)
  const event = createEvent.keyDown(input, init)
  fireEvent(input, event)
  return !event.defaultPrevented
}

it('Enter in a calendar does not send the form, elsewhere it does', () => {
  render(
    <FieldsForm onSubmit={() => undefined}>
      <input aria-label="Name" />
      <div className="ant-picker">
        <input aria-label="Valid until" />
      </div>
    </FieldsForm>,
  )
  expect(wouldSend('Valid until', { key: 'Enter' })).toBe(false)
  expect(wouldSend('Valid until', { key: 'Tab' })).toBe(true)
  expect(wouldSend('Name', { key: 'Enter' })).toBe(true)
})
