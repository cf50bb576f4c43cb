// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { useConnection } from '../../shell/connection.ts'
import { loadShellTexts, startTexts } from '../../shell/texts.ts'
import { Pager } from './Pager.tsx'

beforeAll(async () => {
  await startTexts('en')
  await loadShellTexts()
})
afterEach(() => {
  cleanup()
  useConnection.setState({ state: 'online' })
})

const onPage = vi.fn()
beforeEach(() => onPage.mockClear())
const press = () => {
  render(<Pager page={2} pageSize={10} total={50} onPage={onPage} onPageSize={vi.fn()} />)
  for (const name of ['Previous page', 'Page 4', 'Next page']) fireEvent.click(screen.getByRole('button', { name }))
}

it('turns to the page that is pressed', () => {
  press()
  expect(onPage.mock.calls).toEqual([[1], [4], [3]])
})

it.each(['offline', 'unreachable'] as const)('does not move while the server is %s', (state) => {
  useConnection.setState({ state })
  press()
  expect(onPage).not.toHaveBeenCalled()
  expect(screen.getByRole('combobox', { name: 'Rows per page' })).toHaveProperty('disabled', true)
})
