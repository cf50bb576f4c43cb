// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { changeLanguage, loadShellTexts, loadTexts, startTexts } from '../../../shell/texts.ts'
import { Outcome } from './Outcome.tsx'

beforeAll(async () => {
  await startTexts('en')
  await loadShellTexts()
  await loadTexts(['command'])
})
afterEach(cleanup)

const tasks = [
  { id: 1, taskId: '20261116-1', total: 3 },
  { id: 2, taskId: '20261116-2', total: 2 },
]
const show = () =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <Outcome
          made={{ id: 1, taskId: '20261116-1', total: 5, tasks }}
          figures={{ total: 5, succeeded: 0, failed: 0 }}
          detail={(id) => `/there/${id}`}
        />
      </MemoryRouter>
    </QueryClientProvider>,
  )

it('says of several tasks that they were given, and each leads to its page', async () => {
  const { container } = show()
  expect(container.querySelector('p')?.textContent).toBe('Tasks 20261116-1 and 20261116-2 were given to 5 devices.')
  expect(screen.getByRole('link', { name: '20261116-2' }).getAttribute('href')).toBe('/there/2')
  cleanup()
  await changeLanguage('zh-TW')
  expect(show().container.querySelector('p')?.textContent).toBe('工單 20261116-1 和 20261116-2 已下達給 5 台裝置。')
})
