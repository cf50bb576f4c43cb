// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { useConnection } from '../../../shell/connection.ts'
import { useLiveLost } from '../../../shell/live.ts'
import { loadShellTexts, loadTexts, startTexts } from '../../../shell/texts.ts'
import { LiveSwitch } from './LiveSwitch.tsx'

beforeAll(async () => {
  await startTexts('en')
  await loadShellTexts()
  await loadTexts(['device'])
})
afterEach(() => {
  cleanup()
  useConnection.setState({ state: 'online' })
  useLiveLost.setState({ lost: false })
})

it.each([
  ['without a network', () => useConnection.setState({ state: 'offline' })],
  ['while the server does not answer', () => useConnection.setState({ state: 'unreachable' })],
  ['while its own line is lost', () => useLiveLost.setState({ lost: true })],
])('does not call the list live %s', (_, leave) => {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { enabled: false } } })}>
      <LiveSwitch live onChange={() => undefined} />
    </QueryClientProvider>,
  )
  const button = screen.getByRole('button')
  expect([button.textContent, button.dataset.live]).toEqual(['●Live', 'true'])
  act(leave)
  expect([button.textContent, button.dataset.live]).toEqual(['Not live', 'false'])
})
