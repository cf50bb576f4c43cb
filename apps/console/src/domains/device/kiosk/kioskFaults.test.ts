import { expect, it } from 'vitest'
import { faultsOf, type KioskDraft } from './kioskFaults.ts'

const draft: KioskDraft = {
  mode: 'multi',
  packages: ['org.example.till', 'org.example.help'],
  exitPassword: '123456',
  statusBar: false,
  homeKey: false,
}

it('finds nothing wrong with several programs and a password of six', () => {
  expect(faultsOf(draft)).toEqual({})
})

it.each([
  [{ packages: [] }, { packages: 'packages' }],
  [{ packages: ['-rf'] }, { packages: 'packages' }],
  [{ mode: 'single' as const }, { packages: 'onePackage' }],
  [{ exitPassword: '12345' }, { exitPassword: 'exitPassword' }],
  [{ exitPassword: '1'.repeat(19) }, { exitPassword: 'exitPassword' }],
])('finds %o wrong', (change, expected) => {
  expect(faultsOf({ ...draft, ...change })).toEqual(expected)
})

it('needs a password only where the device has none', () => {
  expect(faultsOf({ ...draft, exitPassword: '' })).toEqual({ exitPassword: 'exitPassword' })
  expect(faultsOf({ ...draft, exitPassword: '' }, true)).toEqual({})
  expect(faultsOf({ ...draft, exitPassword: '123' }, true)).toEqual({ exitPassword: 'exitPassword' })
})
