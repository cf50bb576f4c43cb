import { expect, it } from 'vitest'
import { androidItems, systemTypeOf, templateItemNames, templateSections } from './template.items.ts'

it('every item stands in one section, and Linux is left with connectivity, security, display, sound and time', () => {
  const inSections = Object.values(templateSections).flatMap((items) => Object.keys(items))
  expect(inSections).toEqual(templateItemNames)
  const sections = Object.entries(templateSections).filter(([, items]) =>
    Object.keys(items).some((name) => !androidItems.some((item) => item === name)),
  )
  expect(sections.map(([name]) => name)).toEqual(['connectivity', 'security', 'display', 'sound', 'time'])
})

it.each([
  ['Android 13', 'android'],
  ['android', 'android'],
  ['Ubuntu 24.04 LTS', 'linux'],
  ['Linux 6.1', 'linux'],
  ['', undefined],
  [null, undefined],
])('%s is a device of %s', (system, type) => expect(systemTypeOf(system)).toBe(type))
