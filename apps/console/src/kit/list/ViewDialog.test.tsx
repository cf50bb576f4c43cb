// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import i18next from 'i18next'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { Layered } from '../../shell/tabs/Layered.tsx'
import type { Reader } from '../reader.ts'
import { ViewDialog } from './ViewDialog.tsx'

const view = {
  name: 'Name',
  save: 'Save view',
  nameFirst: 'Enter a name first.',
  makeDefault: 'Default',
  share: 'Share',
}
beforeAll(() => i18next.init({ lng: 'en', resources: { en: { translation: { kit: { cancel: 'Cancel', view } } } } }))
afterEach(cleanup)

const open = async (name: string) => {
  const onSave = vi.fn()
  const reader = { t: i18next.t } as unknown as Reader
  const draft = { name, shared: false, isDefault: false }
  render(
    <Layered active>
      <ViewDialog draft={draft} saving={false} reader={reader} onChange={vi.fn()} onClose={vi.fn()} onSave={onSave} />
    </Layered>,
  )
  return { onSave, field: await screen.findByLabelText(/^Name/) }
}

it('Enter saves a view once', async () => {
  const { onSave, field } = await open('Kiosks')
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(onSave).toHaveBeenCalledTimes(1)
})

it('a view without a name is not saved: the press says what is missing and leads there', async () => {
  const { onSave, field } = await open(' ')
  const button = screen.getByRole('button', { name: 'Save view' })
  button.focus()
  fireEvent.click(button)
  await screen.findByText('Enter a name first.')
  expect(onSave).not.toHaveBeenCalled()
  await waitFor(() => expect(document.activeElement).toBe(field))
})
