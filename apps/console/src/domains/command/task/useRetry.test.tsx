// @vitest-environment happy-dom
import { deviceTask } from '@campanile/contract/command'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { calls } from '../../../kit/index.ts'
import { loadShellTexts, loadTexts, startTexts } from '../../../shell/texts.ts'
import { useRetry } from './useRetry.tsx'

const patient = { timeout: 20_000 }
const action = vi.spyOn(calls, 'action')
const answer = {
  retried: 1,
  online: 1,
  first: ['HP-1'],
  refused: [{ sns: ['HP-2'], count: 1, code: 93022, message: 'It is busy.' }],
}

function Again({ command }: { command: string }) {
  const retry = useRetry(deviceTask)
  return (
    <>
      <button type="button" onClick={() => retry.ask({ id: 7, command })}>
        again
      </button>
      {retry.dialog}
    </>
  )
}
const show = (command: string, more: object = {}) => {
  action.mockResolvedValue({ ...answer, ...more } as never)
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <Again command={command} />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'again' }))
}

beforeAll(async () => {
  await startTexts('en')
  await loadShellTexts()
  await loadTexts(['command', 'device'])
  await import('./RetryDialog.tsx')
})
afterEach(() => {
  cleanup()
  action.mockReset()
})

it('sends nothing before somebody has seen who receives it again and who is refused', async () => {
  show('reboot')
  await screen.findByText('1 device will receive it', {}, patient)
  expect(screen.getByText(/It is busy/)).toBeTruthy()
  expect(action.mock.calls.map(([, , input]) => input)).toEqual([{ id: 7, only: 'failed', dryRun: true }])
  fireEvent.click(screen.getByRole('button', { name: 'Send to 1 device again' }))
  expect(action.mock.lastCall?.[2]).toEqual({ id: 7, only: 'failed', partly: true })
})

it('has what destroys typed back, one device by its serial number', async () => {
  show('wipe')
  const proof = await screen.findByRole('textbox', { name: /Type HP-1 to confirm/ }, patient)
  const send = screen.getByRole('button', { name: 'Send to 1 device again' })
  expect(send).toHaveProperty('disabled', true)
  fireEvent.change(proof, { target: { value: 'HP-1' } })
  expect(send).toHaveProperty('disabled', false)
})

it.each([
  [true, 'It is sent at once. The maintenance window is open now.', /^Open now, until/],
  [false, 'It is sent at once, not in the maintenance window.', /^Opens .*, until/],
])('of a task for the maintenance window says how it stands with it now (open: %s)', async (open, sentence, when) => {
  const times = { opens: '2026-11-21T00:00:00Z', closes: '2026-11-21T03:00:00Z' }
  const hours = { hours: '01:00–04:00 Europe/Berlin', days: [6, 7], of: ['Harbour Group'] }
  show('reboot', { windows: [{ ...hours, ...times, open, devices: 1 }] })
  expect(await screen.findByText(sentence, {}, patient)).toBeTruthy()
  expect(screen.getByText(when)).toBeTruthy()
  expect(screen.getByText(/^Saturday and Sunday 01:00–04:00/)).toBeTruthy()
})
