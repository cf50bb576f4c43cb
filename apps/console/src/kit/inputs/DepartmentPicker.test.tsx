// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { loadShellTexts, startTexts } from '../../shell/texts.ts'
import { calls } from '../calls.ts'
import { DepartmentPicker } from './DepartmentPicker.tsx'

beforeAll(async () => {
  await startTexts('en')
  await loadShellTexts()
})
afterEach(cleanup)

it('says what a department is whose name may not be told, and never its number', async () => {
  vi.spyOn(calls, 'call').mockResolvedValue({ rows: [] } as never)
  const { container } = render(
    <QueryClientProvider client={new QueryClient()}>
      <DepartmentPicker value={2} onChange={() => undefined} label="Parent" disabled />
    </QueryClientProvider>,
  )
  expect(container.textContent).not.toContain('#2')
  expect(await screen.findByText('A department outside your reach')).toBeTruthy()
})
