// @vitest-environment happy-dom
import { createCodes } from '@campanile/contract/activation'
import { activationStates } from '@campanile/contract/device'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { loadShellTexts, loadTexts, startTexts } from '../../../shell/texts.ts'
import { Standing } from './Standing.tsx'

const { granted } = vi.hoisted(() => ({ granted: { all: [] as string[] } }))
vi.mock('../../../shell/permissions.ts', () => ({ usePermission: (perm: string) => granted.all.includes(perm) }))

beforeAll(async () => {
  await startTexts('en')
  await loadShellTexts()
  await loadTexts(['device'])
})
afterEach(cleanup)

const show = (activationStatus: number, lastConnected: string | null = null, onActivate = () => undefined) => {
  const row = { activationStatus, departmentName: 'Harbour' }
  render(<Standing detail={{ row, lastConnected } as never} onActivate={onActivate} />)
}
const { notActivated, unbound, bound, unbinding } = activationStates

it('a device that was never activated says where it stands, and offers the next step to those who may take it', () => {
  granted.all = [createCodes.perm]
  const activate = vi.fn()
  show(notActivated, null, activate)
  expect(screen.getByRole('status').textContent).toContain('registered in Harbour but bound to nobody')
  screen.getByRole('button', { name: 'Activate' }).click()
  expect(activate).toHaveBeenCalledOnce()
})

it('a device that was unbound says that it is bound to no organisation, and whom to ask', () => {
  granted.all = []
  show(unbound, '2026-01-01T00:00:00Z')
  expect(screen.getByRole('status').textContent).toContain('Bound to no organisation')
  expect(screen.getByRole('status').textContent).toContain('Ask somebody')
  expect(screen.queryByRole('button')).toBeNull()
})

it('one that is being unbound says what is waited for, and one that is bound and has come says nothing', () => {
  show(unbinding, '2026-01-01T00:00:00Z')
  expect(screen.getByRole('status').textContent).toContain('has not confirmed yet')
  cleanup()
  show(bound, '2026-01-01T00:00:00Z')
  expect(screen.queryByRole('status')).toBeNull()
})
