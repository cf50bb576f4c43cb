// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { calls } from '../../../kit/index.ts'
import { useNavigationMenu } from '../../../shell/navigation/navigation.ts'
import { loadShellTexts, loadTexts, startTexts } from '../../../shell/texts.ts'
import { BrokerPage } from './BrokerPage.tsx'

const patient = { timeout: 20_000 }
const task = {
  id: 7,
  taskId: '20261116-7',
  name: 'Blink',
  topic: 'lamp/blink',
  qos: 1,
  progress: 'planned',
  total: 2,
  succeeded: 0,
  failed: 0,
  waiting: 0,
  cancelled: 0,
  refused: 0,
  sendTime: '2030-01-05T00:00:00Z',
  maintenanceWindow: '01:00–04:00 Europe/Berlin',
  maintenanceDays: [6, 7],
  maintenanceOf: ['Harbour Group'],
  refusal: null,
  unsent: true,
  begun: false,
  resendable: false,
  departmentId: 3,
  departmentName: 'Harbour Retail',
  creatorName: 'Alice Moreau',
  createTime: '2026-11-16T08:00:00Z',
}
const outlook = {
  receiving: 1,
  refused: 1,
  refusal: null,
  total: 2,
  rows: [
    { sn: 'HP-2', departmentName: 'North shop', online: true, code: 93038 },
    { sn: 'HP-1', departmentName: 'North shop', online: true, code: null },
  ],
}

beforeAll(async () => {
  await startTexts('en')
  await loadShellTexts()
  await loadTexts(['command', 'device'])
  await import('../task/PlannedDevices.tsx')
})
afterEach(cleanup)

it('of a planned message says who gave it, in which window, whom it is for, and offers to cancel it', async () => {
  vi.spyOn(calls, 'list').mockResolvedValue({ rows: [task], total: 1 } as never)
  vi.spyOn(calls, 'call').mockResolvedValue(outlook as never)
  useNavigationMenu.setState({ loaded: true, permissions: ['broker:task:cancel'], tree: [], routes: [] })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <BrokerPage id={7} title="Success list" onChanged={() => undefined}>
          {() => 'the list of a message that has begun'}
        </BrokerPage>
      </MemoryRouter>
    </QueryClientProvider>,
  )
  expect(await screen.findByText('20261116-7 · Alice Moreau · Harbour Retail', {}, patient)).toBeTruthy()
  expect(screen.getByText(/Saturday and Sunday 01:00–04:00 \(Europe\/Berlin\), from Harbour Group/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Cancel task' })).toBeTruthy()
  expect(await screen.findByText('HP-1', {}, patient)).toBeTruthy()
  expect(screen.getByText('1 device will receive it')).toBeTruthy()
  expect(screen.queryByText('the list of a message that has begun')).toBe(null)
})
