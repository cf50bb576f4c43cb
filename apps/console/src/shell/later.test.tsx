// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import i18next from 'i18next'
import { createElement } from 'react'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { useNotices } from './feedback.ts'
import { later } from './later.tsx'

const Drawer = ({ name }: { name: string; onClose?: () => void }) => createElement('button', { type: 'button' }, name)
const texts = { shell: { retry: 'Retry', later: { failed: 'Could not be loaded', reload: 'Reload' } } }

beforeAll(() => i18next.init({ lng: 'en', resources: { en: { translation: texts } } }))
afterEach(() => {
  cleanup()
  useNotices.setState({ notices: [] })
})

it('fetches once, when the pointer nears the button, and is there at the click', async () => {
  const load = vi.fn(async () => Drawer)
  const Part = later(load)
  Part.near.onPointerEnter()
  await Promise.resolve()
  render(createElement(Part, { name: 'Lamp' }))
  expect(screen.getByText('Lamp')).toBeTruthy()
  Part.near.onFocus()
  expect(load).toHaveBeenCalledTimes(1)
})

it('says that a fetch failed, closes what waited for it, and tries again at the next opening', async () => {
  const load = vi.fn(async () => Drawer).mockRejectedValueOnce(new Error('offline'))
  const Part = later(load)
  const onClose = vi.fn()
  render(createElement(Part, { name: 'Lamp', onClose }))
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1))
  expect(useNotices.getState().notices.map(({ text }) => text)).toEqual(['Could not be loaded'])
  cleanup()
  render(createElement(Part, { name: 'Lamp', onClose }))
  expect(await screen.findByText('Lamp')).toBeTruthy()
})

it('offers another try where there is nothing to close', async () => {
  const Part = later(vi.fn(async () => Drawer).mockRejectedValueOnce(new Error('offline')))
  render(createElement(Part, { name: 'Lamp' }))
  fireEvent.click(await screen.findByText('Retry'))
  expect(await screen.findByText('Lamp')).toBeTruthy()
})

it('hands the focus back to what opened it', async () => {
  const opener = document.createElement('button')
  document.body.append(opener)
  opener.focus()
  const Part = later(async () => Drawer)
  const { unmount } = render(createElement(Part, { name: 'Lamp' }))
  const inside = await screen.findByText('Lamp')
  inside.focus()
  unmount()
  await waitFor(() => expect(document.activeElement).toBe(opener))
})
