// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { Drawer } from 'antd'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, it, vi } from 'vitest'
import { setMaximised, useMaximised } from '../layout/maximised.ts'
import { Layered } from '../tabs/Layered.tsx'
import { useShortcuts } from './useShortcuts.ts'

afterEach(() => {
  cleanup()
  setMaximised(false)
})

function Shell({ open, onClose }: { open: boolean; onClose: () => void }) {
  useShortcuts()
  return (
    <Layered active>
      <Drawer open={open} onClose={onClose}>
        Lamp
      </Drawer>
    </Layered>
  )
}

it('Esc closes what stands over a page that fills the window, and only the next one gives the window back', async () => {
  const onClose = vi.fn()
  setMaximised(true)
  const { rerender } = render(<Shell open onClose={onClose} />, { wrapper: MemoryRouter })
  fireEvent.keyDown(await screen.findByRole('dialog', undefined, { timeout: 30_000 }), { key: 'Escape', keyCode: 27 })
  expect(onClose).toHaveBeenCalledTimes(1)
  expect(useMaximised.getState().maximised).toBe(true)
  rerender(<Shell open={false} onClose={onClose} />)
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), { timeout: 30_000 })
  fireEvent.keyDown(document.body, { key: 'Escape', keyCode: 27 })
  expect(useMaximised.getState().maximised).toBe(false)
})
