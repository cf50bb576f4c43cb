// @vitest-environment happy-dom
import type { SessionUser } from '@campanile/contract/identity'
import { announcement } from '@campanile/contract/system'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { toMenuRoutes } from './navigation/menu.ts'
import { useNavigationMenu } from './navigation/navigation.ts'
import { resolve } from './navigation/resolve.ts'
import { queryClient } from './queryClient.ts'
import { createRouter } from './router.tsx'
import { allScreens } from './screens.ts'
import { openSession } from './session/session.ts'
import { loadShellTexts, startTexts } from './texts.ts'

const url = announcement.menu?.url ?? ''

// The product has drawn a screen for its announcements; here nobody has.
vi.mock('./screens.ts', async (importOriginal) => {
  const real = await importOriginal<typeof import('./screens.ts')>()
  return { ...real, allScreens: real.allScreens.filter(({ path }) => path !== '/system/announcement') }
})

const row = {
  id: 1,
  title: 'Maintenance on Saturday',
  text: 'From 22:00.',
  level: 'important',
  departmentId: 2,
  departmentName: 'Harbour Systems',
  pinned: true,
  validUntil: null,
  creatorName: 'Vivian Lau',
  createTime: '2026-05-01T08:00:00Z',
}
/** The server: one announcement, nothing else. */
const answer = async (asked: RequestInfo | URL) => {
  const isList = String(asked instanceof Request ? asked.url : asked).includes(`${announcement.wire.path}/list`)
  return Response.json({ code: 100000, data: isList ? { rows: [row], total: 1 } : { rows: [], total: 0 } })
}

beforeAll(async () => {
  await startTexts('en')
  await loadShellTexts()
})
beforeEach(() => {
  vi.stubGlobal('fetch', vi.fn(answer))
  openSession({ token: 'x', user: { isExpired: false } as SessionUser })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const grant = (permissions: string[], paths: readonly string[]) => {
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
  useNavigationMenu.setState({ loaded: true, permissions, tree: [], routes: toMenuRoutes(paths.map(node)) })
}

it('a list nobody drew a screen for is shown as it is declared, with what its reader may do', async () => {
  grant(['notice:announcement:list', 'notice:announcement:add'], [url])
  const found = resolve(url, { screens: allScreens, routes: useNavigationMenu.getState().routes })
  if (found.kind !== 'screen') throw new Error(`${url} is ${found.kind}`)
  const { default: Screen } = await found.screen.load()
  render(
    <QueryClientProvider client={queryClient}>
      <App>
        <MemoryRouter initialEntries={[url]}>
          <Screen />
        </MemoryRouter>
      </App>
    </QueryClientProvider>,
  )
  await screen.findByText(row.title, undefined, { timeout: 30_000 })
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Announcements')
  expect(screen.getByText('1 announcement')).toBeTruthy()
  expect(screen.getByRole('columnheader', { name: /Level/ })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Add announcement' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Export' })).toBeNull()
})

/** Where somebody ends up whose menu holds nothing. */
const arriveAt = async (path: string) => {
  grant([], [])
  window.history.replaceState(null, '', path)
  const router = createRouter()
  await vi.waitFor(
    () => expect(router.state).toMatchObject({ initialized: true, navigation: { state: 'idle' } }),
    20_000,
  )
  router.dispose()
  return router.state.location.pathname + router.state.location.search
}

it('whoever may not see it is told which permission they lack', async () => {
  const asked = new URLSearchParams({ path: url, perm: 'notice:announcement:list' })
  expect(await arriveAt(url)).toBe(`/401?${asked}`)
})

it('an address nothing is declared for is not found', async () => {
  expect(await arriveAt('/system/nowhere')).toBe(`/404?${new URLSearchParams({ path: '/system/nowhere' })}`)
})
