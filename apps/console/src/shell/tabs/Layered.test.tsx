// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { Drawer, Input, Modal } from 'antd'
import { afterEach, expect, it, vi } from 'vitest'
import { Layered } from './Layered.tsx'

afterEach(cleanup)
/** A busy machine takes longer than the second that is usual. */
const patient = { timeout: 30_000 }

const page = (active: boolean) => (
  <Layered active={active}>
    <button type="button">Behind</button>
    <Drawer open title="Lamp" extra={<button type="button">Help</button>}>
      <a href="/lamps">All lamps</a>
      <Input aria-label="Name" />
    </Drawer>
  </Layered>
)
const show = () => render(page(true))
it('puts the focus into the first field of a dialog, whatever stands before it', async () => {
  show()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Name')), patient)
})

it('does on Enter in a line what the primary button says', async () => {
  const done = vi.fn()
  render(
    <Layered active>
      <Modal open title="Rename" okText="Rename" cancelText="Leave it" onOk={done}>
        <Input aria-label="New name" />
      </Modal>
    </Layered>,
  )
  fireEvent.keyDown(await screen.findByLabelText('New name', undefined, patient), { key: 'Enter' })
  expect(done).toHaveBeenCalledTimes(1)
})

it('keeps what a page opens with that page, and out of sight with it', async () => {
  const { rerender } = show()
  const dialog = await screen.findByRole('dialog', undefined, patient)
  expect(dialog.closest('[hidden]')).toBeNull()
  rerender(page(false))
  expect(dialog.closest('[hidden]')).not.toBeNull()
})

it('lets tabs and menu be reached while a dialog is open, and the page behind it not', async () => {
  show()
  const dialog = await screen.findByRole('dialog', undefined, patient)
  await waitFor(() => expect(dialog.getAttribute('aria-modal')).toBe('false'), patient)
  expect(screen.getByText('Behind').closest('[inert]')).not.toBeNull()
})
