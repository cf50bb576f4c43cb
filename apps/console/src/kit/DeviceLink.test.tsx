// @vitest-environment happy-dom
import { cleanup, render, renderHook, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, it, vi } from 'vitest'
import { DeviceLink, useToDevice } from './DeviceLink.tsx'

const { granted } = vi.hoisted(() => ({ granted: { all: [] as string[] } }))
vi.mock('../shell/permissions.ts', () => ({ usePermission: (perm: string) => granted.all.includes(perm) }))

afterEach(cleanup)

const show = () => render(<DeviceLink sn="HP 620/1" />, { wrapper: MemoryRouter })

it('a serial number leads to the page of the device', () => {
  granted.all = ['device:list:detail']
  show()
  expect(screen.getByRole('link').getAttribute('href')).toBe('/device/list/detail/HP%20620%2F1')
})

it('a serial number is no link for whoever may not open that page', () => {
  granted.all = ['device:list:list']
  show()
  expect(screen.queryByRole('link')).toBeNull()
  expect(screen.getByText('HP 620/1')).toBeTruthy()
})

it('a row of a list leads there for the same people alone', () => {
  const toDevice = () => renderHook(useToDevice).result.current.identityTo
  granted.all = ['device:list:list']
  expect(toDevice()).toBe(false)
  granted.all = ['device:list:detail']
  expect(toDevice()).toBeTypeOf('function')
})
