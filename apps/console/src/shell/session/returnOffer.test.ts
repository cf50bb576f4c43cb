// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest'
import { rememberPlace, safeRedirect, takeReturnOffer, wayBack } from './returnOffer.ts'

beforeEach(() => sessionStorage.clear())

it('the way back is offered once, and only to the same person', () => {
  const place = { uid: 7, path: '/device/list?page=2', title: 'Devices' }
  rememberPlace(place)
  expect(takeReturnOffer(7)).toEqual(place)
  expect(takeReturnOffer(7)).toBeUndefined()
  rememberPlace(place)
  expect(takeReturnOffer(8)).toBeUndefined()
  expect(takeReturnOffer(7)).toBeUndefined()
})

it('the way back leads to the organisation one was operating in', () => {
  const offer = { uid: 7, path: '/device/list?page=2', title: 'Devices', organisation: 12 }
  rememberPlace(offer)
  expect(takeReturnOffer(7)).toEqual(offer)
  expect(wayBack(offer, { path: '/home' })).toEqual({ address: '/at/12/device/list?page=2', elsewhere: true })
  expect(wayBack(offer, { path: '/device/list?page=2' })).toMatchObject({ elsewhere: true })
  expect(wayBack(offer, { path: '/home', organisation: 12 })).toMatchObject({ elsewhere: false })
  expect(wayBack(offer, { path: '/device/list?page=2', organisation: 12 })).toBeUndefined()
  expect(wayBack({ ...offer, organisation: undefined }, { path: '/home' })?.address).toBe('/device/list?page=2')
})

describe('a redirect', () => {
  it('is honoured within the console', () => {
    expect(safeRedirect('/system/user?page=2')).toBe('/system/user?page=2')
  })

  it.each([
    null,
    '',
    'home',
    '//evil.example',
    '/\\evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    '/\t/evil.example',
  ])('%j leads home instead', (target) => {
    expect(safeRedirect(target)).toBe('/home')
  })
})
