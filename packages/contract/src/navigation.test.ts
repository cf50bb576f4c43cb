import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { menuType } from './identity/menu.resource.ts'
import { rolePresets } from './identity/role.resource.ts'
import {
  declaredPermissions,
  flattened,
  navigationTree,
  permissionsOf,
  presetEntries,
  signSecret,
} from './navigation.ts'
import { endpoints, resources } from './registry.ts'

const entries = flattened(navigationTree)
const languages = ['en', 'zh-CN', 'zh-TW'] as const
const textAt = (language: string, key: string): unknown => {
  const [file = '', ...steps] = key.split('.')
  const path = new URL(`./texts/${language}/${file}.json`, import.meta.url)
  const texts: unknown = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
  return steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], texts)
}

describe('the built-in menu', () => {
  it('holds every permission a resource, an action or an endpoint declares exactly once', () => {
    const held = entries.flatMap((entry) => entry.perms ?? [])
    expect(declaredPermissions.length).toBeGreaterThan(20)
    expect(declaredPermissions.filter((perm) => held.filter((other) => other === perm).length !== 1)).toEqual([])
    expect(held.filter((perm, at) => held.indexOf(perm) !== at)).toEqual([])
  })

  it('holds every list whose declaration says where it stands', () => {
    const directories = entries.filter(({ type }) => type === menuType.directory).map(({ key }) => key)
    const lost = resources.flatMap(({ name, menu, perms }) => [
      ...(menu && !directories.includes(menu.under)
        ? [`${name} stands under ${menu.under}, which is none of: ${directories.join(', ')}`]
        : []),
      ...(menu && !perms.list?.endsWith(':list')
        ? [`${name} stands in the menu, but perms.list is ${perms.list} and not module:page:list`]
        : []),
    ])
    expect(lost).toEqual([])
  })

  it('gives every button to a route that asks for it', () => {
    const buttons = entries.filter((entry) => entry.type === menuType.button)
    expect(buttons.filter((entry) => !declaredPermissions.includes(entry.perms ?? ''))).toEqual([])
  })

  it('marks what only the installation itself may hold', () => {
    const ofPlatform = [
      ...resources.filter((resource) => resource.scope === 'platform').flatMap(permissionsOf),
      ...endpoints.filter((endpoint) => endpoint.scope === 'platform').map((endpoint) => endpoint.perm),
    ]
    const marked = entries.filter((entry) => entry.platform).flatMap((entry) => entry.perms ?? [])
    expect([...new Set(ofPlatform)].filter((perm) => perm.includes(':')).sort()).toEqual([...marked].sort())
  })

  it('names no key and no address twice', () => {
    const keys = entries.map((entry) => entry.key)
    const urls = entries.flatMap((entry) => entry.url ?? [])
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
    expect(urls.filter((url, at) => urls.indexOf(url) !== at)).toEqual([])
  })

  it.each(languages)('has a name for every entry in %s', (language) => {
    const nameless = entries.filter((entry) => !textAt(language, entry.textKey))
    expect(nameless.map(({ key, textKey }) => `${key} lacks the text ${textKey}`)).toEqual([])
    expect(textAt(language, `menu.entry.${signSecret.entry.key}`)).toBeTruthy()
    expect(Object.keys(textAt(language, 'permission.preset') as object).sort()).toEqual([...rolePresets].sort())
  })
})

describe('shipped roles', () => {
  const perms = (preset: (typeof rolePresets)[number], root = false) =>
    presetEntries(preset, root).map((entry) => entry.perms)

  it('keep business, security and audit apart', () => {
    expect(perms('operator')).toContain('org:list:edit')
    expect(perms('operator')).not.toContain('system:user:list')
    expect(perms('operator')).not.toContain('system:log:list')
    expect(perms('safetyOfficer')).toContain('system:user:twofa')
    expect(perms('safetyOfficer')).not.toContain('org:list:edit')
    expect(perms('auditor')).toEqual(expect.arrayContaining(['system:log:list', 'system:log:export']))
    expect(
      perms('auditor').filter((perm) => /:(add|edit|delete|move|resetPwd|unlock|twofa|import)$/.test(perm ?? '')),
    ).toEqual([])
  })

  it.each(rolePresets)('leave the installation’s own entries to its root: %s', (preset) => {
    expect(presetEntries(preset, false).some((entry) => entry.platform)).toBe(false)
  })
})
