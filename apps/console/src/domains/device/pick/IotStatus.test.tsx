// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { loadShellTexts, loadTexts, startTexts } from '../../../shell/texts.ts'
import { IotStatus } from './IotStatus.tsx'

beforeAll(async () => {
  await startTexts('en')
  await loadShellTexts()
  await loadTexts(['device'])
})
afterEach(cleanup)
const show = (activation: number) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <IotStatus state="offline" activation={activation} />
    </QueryClientProvider>,
  )

it('calls a device offline that is in use and not connected, and says what that means', () => {
  show(2)
  expect(screen.getByTitle('In use and not connected').textContent).toContain('Offline')
})

it('calls one that was never activated what it is', () => {
  show(0)
  expect(screen.getByText('Not activated')).toBeTruthy()
  expect(screen.queryByText('Offline')).toBeNull()
})
