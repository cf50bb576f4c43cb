// @vitest-environment happy-dom
import { ApiError } from '@campanile/client'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { createRef, type ReactNode } from 'react'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { loadShellTexts, loadTexts, startTexts } from '../../../shell/texts.ts'
import { waitText } from '../order/ProofInput.tsx'
import { Arguments } from './Arguments.tsx'
import type { DraftHandle } from './draft.ts'

beforeAll(async () => {
  await startTexts('en')
  await loadShellTexts()
  await loadTexts(['command', 'device'])
})
afterEach(cleanup)

const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
)

it('what the preview refuses is marked where it was entered, until it is put right', () => {
  const ref = createRef<DraftHandle>()
  render(
    <Arguments
      typed={undefined}
      ref={ref}
      command="message"
      given={{ title: 'A', text: 'B' }}
      facts={undefined}
      onDraft={() => undefined}
    />,
    { wrapper },
  )
  const box = () => screen.getByRole('textbox', { name: /Text/ })
  const failure = new ApiError({
    kind: 'api',
    code: 93012,
    status: 400,
    message: '',
    data: { field: 'args.text', minutes: 5 },
  })
  expect(box().getAttribute('aria-invalid')).not.toBe('true')
  act(() => void ref.current?.blame(failure))
  expect(box().getAttribute('aria-invalid')).toBe('true')
  act(() => void ref.current?.blame(undefined))
  expect(box().getAttribute('aria-invalid')).not.toBe('true')
})

it('a wait is said as long as it is', () => {
  expect(waitText(24 * 60, 'en')).toBe('24 hours')
  expect(waitText(7 * 24 * 60, 'en')).toBe('7 days')
  expect(waitText(7 * 24 * 60, 'zh-TW')).toMatch(/^7 ?[天日]$/)
})
