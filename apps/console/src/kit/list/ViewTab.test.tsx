// @vitest-environment happy-dom
import { device } from '@campanile/contract/device'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { calls } from '../calls.ts'
import type { Reader } from '../reader.ts'
import type { ResourceList } from './useResourceList.ts'
import { ViewTab } from './ViewTab.tsx'

const reader = { number: String, count: (n: number) => `${n} devices` } as unknown as Reader
const list = { resource: device, known: true, within: {}, defaults: { sort: 'sn', pageSize: 20 } }
const draw = (parts: { whereSome?: boolean; current?: boolean } = {}) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ViewTab
        list={list as unknown as ResourceList}
        search="?deviceType=3"
        reader={reader}
        current={parts.current ?? false}
        whereSome={parts.whereSome ?? true}
        onOpen={() => undefined}
      >
        Robot
      </ViewTab>
    </QueryClientProvider>,
  )
const asked = vi.spyOn(calls, 'total')
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('says how many rows a view holds, and that there are more than it counts', async () => {
  asked.mockResolvedValue({ total: 999, more: true })
  draw()
  const tab = await screen.findByRole('button', { name: 'Robot' })
  expect(tab.textContent).toBe('Robot999+')
  expect(asked.mock.lastCall?.[1]).toEqual({ deviceType: [3] })
})

it('is not offered where there are no such rows, unless it is open', async () => {
  asked.mockResolvedValue({ total: 0, more: false })
  draw()
  await vi.waitFor(() => expect(asked).toHaveResolved())
  expect(screen.queryByRole('button')).toBeNull()
  cleanup()
  draw({ current: true })
  expect((await screen.findByRole('button', { name: 'Robot' })).getAttribute('aria-current')).toBe('page')
})

it('of a saved view is asked for once it is in sight', async () => {
  let see: (entries: { isIntersecting: boolean }[]) => void = () => undefined
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(seen: typeof see) {
        see = seen
      }
      observe = () => undefined
      disconnect = () => undefined
    },
  )
  asked.mockClear().mockResolvedValue({ total: 7, more: false })
  draw({ whereSome: false })
  expect(asked).not.toHaveBeenCalled()
  see([{ isIntersecting: true }])
  await vi.waitFor(() => expect(screen.getByRole('button').textContent).toBe('Robot7'))
})
