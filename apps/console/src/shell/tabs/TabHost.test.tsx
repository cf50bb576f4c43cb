// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { createBrowserRouter, createMemoryRouter, RouterProvider, useSearchParams } from 'react-router'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { toMenuRoutes } from '../navigation/menu.ts'
import { useNavigationMenu } from '../navigation/navigation.ts'
import { useDirtyGuard } from './dirty.ts'
import { TabHost } from './TabHost.tsx'
import { close, noTabs, refresh } from './tabState.ts'
import { changeTabs, useTabs } from './tabStore.ts'
import { forgetAllDirty, isDirty } from './unsaved.ts'
import { useTabActions } from './useTabActions.ts'

/** A page with a half-filled form and its state in the address. */
function Form() {
  const [text, setText] = useState('')
  const [params] = useSearchParams()
  useDirtyGuard(text !== '')
  return (
    <div data-testid="form">
      <input aria-label="text" value={text} onChange={(event) => setText(event.target.value)} />
      <output>{params.toString()}</output>
    </div>
  )
}

vi.mock('../screens.ts', () => ({
  allScreens: ['/a', '/b', '/unkept'].map((path) => ({
    path,
    titleKey: path,
    kept: path !== '/unkept',
    load: async () => ({ default: Form }),
  })),
}))

const node = (path: string, id: number) => ({
  id,
  key: '',
  title: path,
  icon: '',
  path,
  perms: '',
  directory: false,
  children: [],
})

const open = async (first: string) => {
  const router = createMemoryRouter([{ path: '*', Component: TabHost }], { initialEntries: [first] })
  await act(async () => void render(<RouterProvider router={router} />))
  return { go: (to: string) => act(() => router.navigate(to)) }
}

const front = () => document.querySelector('.tab-pane[data-active=true]')
const input = () => front()?.querySelector('input')
const address = () => front()?.querySelector('output')?.textContent
const type = (text: string) => {
  const field = input()
  if (field) fireEvent.change(field, { target: { value: text } })
}

beforeEach(() => {
  useTabs.setState(noTabs)
  forgetAllDirty()
  const routes = toMenuRoutes(['/a', '/b', '/unkept'].map(node))
  useNavigationMenu.setState({ loaded: true, permissions: [], tree: [], routes })
})
afterEach(cleanup)

it('a page comes back as it was left, and in the background it keeps its own address', async () => {
  const { go } = await open('/a?page=2')
  type('half-filled')
  await go('/b?name=x')
  expect([input()?.value, address()]).toEqual(['', 'name=x'])
  expect(screen.getAllByTestId('form')).toHaveLength(2)
  await go('/a?page=2')
  expect([input()?.value, address()]).toEqual(['half-filled', 'page=2'])
})

it('closing destroys: the page starts fresh when it is opened again', async () => {
  const { go } = await open('/a')
  type('gone')
  await go('/b')
  act(() => void changeTabs((state) => close(state, ['/a'])))
  await go('/a')
  expect(input()?.value).toBe('')
})

it('a page that is closed while it still comes does not come', async () => {
  window.history.replaceState(null, '', '/a')
  const actions: { current?: ReturnType<typeof useTabActions> } = {}
  const Pages = () => {
    actions.current = useTabActions()
    return <TabHost />
  }
  const router = createBrowserRouter([{ path: '*', Component: Pages }])
  await act(async () => void render(<RouterProvider router={router} />))
  await act(() => router.navigate('/b'))
  await act(() => router.navigate('/a'))
  await act(async () => {
    // The address is there at once; the page follows when React has time for it.
    await router.navigate('/b')
    await actions.current?.close('/b')
  })
  expect(window.location.pathname).toBe('/a')
  expect(useTabs.getState().tabs.map(({ key }) => key)).toEqual(['/home', '/a'])
})

it('refreshing makes the page anew', async () => {
  await open('/a')
  type('old')
  await act(async () => void changeTabs((state) => refresh(state, '/a')))
  expect(input()?.value).toBe('')
})

it('a page that is not kept leaves nothing behind', async () => {
  const { go } = await open('/unkept')
  type('x')
  await go('/a')
  expect(screen.getAllByTestId('form')).toHaveLength(1)
})

it('unsaved input still counts while its tab is in the background, and no longer once it is saved', async () => {
  const { go } = await open('/a')
  type('unsaved')
  await go('/b')
  expect(isDirty('/a')).toBe(true)
  await go('/a')
  type('')
  expect(isDirty('/a')).toBe(false)
})
