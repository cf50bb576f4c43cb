// @vitest-environment happy-dom
import type { MenuItem, SessionUser } from '@campanile/contract/identity'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { App } from 'antd'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { OrganisationForm } from '../domains/organisation/OrganisationForm.tsx'
import { loadNavigation, useNavigationMenu } from './navigation/navigation.ts'
import { resolve } from './navigation/resolve.ts'
import { Page } from './Page.tsx'
import { useEntries } from './palette/useEntries.ts'
import { queryClient } from './queryClient.ts'
import { allScreens } from './screens.ts'
import { openSession } from './session/session.ts'
import { TabContext } from './tabs/TabContext.ts'
import { loadShellTexts, loadTexts, startTexts } from './texts.ts'

const codes = '/activation/code'
const item = (menuId: number, url: string): MenuItem => ({
  menuId,
  key: url,
  parentId: null,
  name: JSON.stringify({ en: url, 'zh-cn': url, 'zh-tw': url }),
  icon: null,
  orderNum: menuId,
  type: 1,
  url,
  perms: null,
  list: [],
})
let unused: string[]
let permissions: string[]
let sent: { path: string; body: unknown }[]
/** The server: an organisation that does not use what `unused` names. */
const answer = async (asked: RequestInfo | URL, init?: RequestInit) => {
  const path = String(asked instanceof Request ? asked.url : asked)
  if (init?.method === 'PUT') {
    const body = JSON.parse(String(init.body)) as { unusedModules: string[] }
    sent.push({ path, body })
    unused = body.unusedModules
  }
  if (!path.includes('/oauth/navigation'))
    return Response.json({ code: 100000, data: { rows: [], views: [], total: 0 } })
  const pages = { activation: [item(2, codes)], robots: [] as MenuItem[] }
  const data = {
    permissions,
    navigationMenu: [item(1, '/device/list'), ...(unused.includes('activation') ? [] : pages.activation)],
    unused: unused.map((module) => ({ module, pages: pages[module as keyof typeof pages] })),
  }
  return Response.json({ code: 100000, data })
}

beforeAll(async () => {
  await startTexts('en')
  await loadShellTexts()
  await loadTexts(['organisation'])
})
beforeEach(async () => {
  vi.stubGlobal('fetch', vi.fn(answer))
  unused = ['robots', 'activation']
  permissions = ['org:list:edit']
  sent = []
  openSession({
    token: 'x',
    user: { isExpired: false, departmentId: 7, departmentName: 'Riverside School', operating: null } as SessionUser,
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const show = (node: ReactNode) =>
  render(
    <QueryClientProvider client={queryClient}>
      <App>
        <MemoryRouter>{node}</MemoryRouter>
      </App>
    </QueryClientProvider>,
  )
const showCodes = () =>
  show(
    <TabContext value={{ key: codes }}>
      <Page title="Activation codes" />
    </TabContext>,
  )
const notice = 'Riverside School does not use “Activation codes”, so its menu leaves this page out.'

it('a page of a module that is not used stands in no menu and in no palette, and opens all the same', async () => {
  await loadNavigation()
  const { areas, routes } = useNavigationMenu.getState()
  expect(JSON.stringify(areas)).not.toContain(codes)
  expect(resolve(codes, { screens: allScreens, routes })).toMatchObject({ kind: 'screen' })
  const Screens = () =>
    useEntries()
      .filter(({ kind }) => kind === 'screen')
      .map(({ title }) => <p key={title}>{title}</p>)
  show(<Screens />)
  expect(screen.getByText('/device/list')).toBeTruthy()
  expect(screen.queryByText(codes)).toBeNull()
})

it('it says why, and whoever may edit the organisation has it back in the menu by one press', async () => {
  await loadNavigation()
  showCodes()
  expect((await screen.findByRole('status', {}, { timeout: 30_000 })).textContent).toContain(notice)
  fireEvent.click(screen.getByRole('button', { name: 'Use it again' }))
  await waitFor(() => expect(screen.queryByText(notice)).toBeNull())
  const body = { id: 7, ownModules: true, unusedModules: ['robots'] }
  expect(sent).toEqual([{ path: expect.stringContaining('/api/v1/oauth/depts/update'), body }])
  expect(JSON.stringify(useNavigationMenu.getState().areas)).toContain(codes)
})

it('whoever may not edit it is only told', async () => {
  permissions = ['activation:code:list']
  await loadNavigation()
  showCodes()
  expect(screen.getByRole('status').textContent).toBe(notice)
  expect(screen.queryByRole('button', { name: 'Use it again' })).toBeNull()
})

it('the form of an organisation asks which ones it does not use once it chooses for itself', async () => {
  await loadNavigation()
  const switches = ['autoPromotion', 'deviceKeyStatus', 'licenceRequired', 'autoIssue', 'pushStatus', 'paymentStatus']
  const row = {
    id: 7,
    name: 'Riverside School',
    type: 2,
    parentId: 1,
    parentName: 'Harbour',
    customerType: 0,
    iotType: 0,
    ...Object.fromEntries([...switches, 'messagingAuthorised', 'ownModules'].map((name) => [name, false])),
  }
  show(<OrganisationForm row={row} onClose={() => undefined} />)
  expect(screen.queryByRole('checkbox', { name: 'Licences' })).toBeNull()
  fireEvent.click(screen.getByRole('switch', { name: 'Own choice of modules' }))
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Licences' }))
  fireEvent.click(screen.getByRole('button', { name: 'Save changes' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]?.body).toEqual({ id: 7, ownModules: true, unusedModules: ['licences'] })
})
