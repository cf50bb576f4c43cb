// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { TimePicker, takenAtOnce } from './calendars.ts'

afterEach(cleanup)

it('a time that is typed counts at once, without OK, Enter or leaving the field', () => {
  const take = vi.fn()
  render(<TimePicker aria-label="from" format="HH:mm" onChange={take} {...takenAtOnce(take)} />)
  const field = screen.getByRole('textbox', { name: 'from' })
  fireEvent.mouseDown(field)
  fireEvent.focus(field)
  fireEvent.change(field, { target: { value: '04:00' } })
  expect(take.mock.lastCall?.[0].format('HH:mm')).toBe('04:00')
})
