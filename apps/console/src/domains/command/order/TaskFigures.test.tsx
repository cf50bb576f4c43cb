// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { loadShellTexts, loadTexts, startTexts } from '../../../shell/texts.ts'
import { TaskFigures } from './TaskFigures.tsx'

beforeAll(async () => {
  await startTexts('en')
  await loadShellTexts()
  await loadTexts(['command'])
})
afterEach(cleanup)

const figures = { total: 9, succeeded: 3, failed: 2, cancelled: 1, refused: 1 }

it('a figure leads to the devices behind it, what failed first, and said again to all of them', () => {
  const show = vi.fn()
  const { rerender } = render(<TaskFigures {...figures} onShow={show} />)
  const buttons = screen.getAllByRole('button')
  expect(buttons.map(({ textContent }) => textContent?.replace(/^\W+/, ''))).toEqual([
    '2 failed',
    '1 refused',
    '3 waiting',
    '3 succeeded',
    '1 cancelled',
  ])
  buttons[0]?.click()
  expect(show).toHaveBeenLastCalledWith('failed')
  rerender(<TaskFigures {...figures} onShow={show} shown="failed" />)
  expect(screen.getByRole('button', { pressed: true }).textContent).toContain('2 failed')
  screen.getByRole('button', { pressed: true }).click()
  expect(show).toHaveBeenLastCalledWith(undefined)
})

it('a figure of nobody, or of devices that stand nowhere, is no button', () => {
  render(<TaskFigures {...figures} failed={0} onShow={() => undefined} leadsNot={['waiting']} />)
  const names = screen.getAllByRole('button').map(({ textContent }) => textContent)
  expect(names.some((name) => /failed|waiting/.test(name ?? ''))).toBe(false)
})
