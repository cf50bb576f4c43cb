// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { loadShellTexts, loadTexts, startTexts } from '../texts.ts'
import { SettingsDrawer } from './SettingsDrawer.tsx'

beforeAll(async () => {
  await startTexts('en')
  await loadShellTexts()
  await loadTexts(['settings'])
})
afterEach(cleanup)

it('does not dim the page that shows what it changes', async () => {
  render(<SettingsDrawer open onClose={() => undefined} />)
  await screen.findByRole('dialog', undefined, { timeout: 30_000 })
  expect(document.querySelector('.ant-drawer-mask')).toBeNull()
})
