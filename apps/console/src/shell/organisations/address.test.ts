import { expect, it } from 'vitest'
import { baseOf, organisationIn, pageIn } from './address.ts'

it('an address names its organisation in front of the page, or one’s own by naming none', () => {
  const page = '/device/list'
  expect([organisationIn(page), pageIn(page)]).toEqual([undefined, page])
  expect([organisationIn(baseOf(12) + page), pageIn(baseOf(12) + page)]).toEqual([12, page])
  expect([organisationIn('/at/12'), pageIn('/at/12')]).toEqual([12, '/'])
  expect([organisationIn('/at/twelve/x'), organisationIn('/attendance/12'), organisationIn('/at/12x')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
