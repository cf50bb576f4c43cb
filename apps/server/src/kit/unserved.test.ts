import { resources } from '@campanile/contract'
import { expect, test } from 'vitest'
import { refuseUnserved } from './unserved.ts'

const [first, second] = resources.filter(({ perms }) => perms.list && perms.remove)

test('a declared resource that nothing serves is named together with the line to write', () => {
  if (!first || !second) throw new Error('there are no two resources')
  const all = ['list', 'create', 'update', 'delete', 'export', 'import']
  const served = all.map((word) => ({ url: `${first.wire.path}/${word}` }))
  expect(() => refuseUnserved([first], served)).not.toThrow()
  expect(() => refuseUnserved([first, second], served)).toThrow(`mountPlain(kit, plainTable(${second.name}))`)
  const withoutDelete = served.filter(({ url }) => !url.endsWith('/delete'))
  expect(() => refuseUnserved([first], withoutDelete)).toThrow(`${first.wire.path}/delete`)
})
