import { describe, expect, it } from 'vitest'
import { commands } from './command/commands.ts'
import { menuType } from './identity/menu.resource.ts'
import { rolePresets } from './identity/role.resource.ts'
import { modules } from './kit/module.ts'
import {
  declaredPermissions,
  flattened,
  impliedPermissions,
  moduleOf,
  navigationTree,
  permissionsOf,
  presetEntries,
  signSecret,
  withImplied,
} from './navigation.ts'
import { endpoints, resources } from './registry.ts'
import { type Language, languages, textsOf } from './test/texts.ts'

const entries = flattened(navigationTree)
const texts = Object.fromEntries(languages.map((language) => [language, textsOf(language)]))
const textAt = (language: Language, key: string) => texts[language]?.get(key)

describe('the built-in menu', () => {
  it('holds every permission a resource, an action or an endpoint declares exactly once', () => {
    const held = [...entries.flatMap((entry) => entry.perms ?? []), ...signSecret.permissions]
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
    const presets = [...(texts[language]?.keys() ?? [])].filter((key) => key.startsWith('permission.preset.'))
    expect(presets.sort()).toEqual(rolePresets.map((preset) => `permission.preset.${preset}`).sort())
  })
})

describe('modules', () => {
  const named = entries.flatMap(({ module }) => module ?? [])

  it('are named by some entry each, and no entry names another', () => {
    expect([...new Set(named)].sort()).toEqual([...modules].sort())
  })

  it('are screens people may list, never a directory or a button', () => {
    const wrong = entries.filter(({ module, type, perms }) => module && (type !== menuType.menu || !perms))
    expect(wrong.map(({ key }) => key)).toEqual([])
    expect(entries.filter(({ module, perms }) => module && moduleOf(perms) !== module)).toEqual([])
  })

  it('leave out nothing that everybody works with', () => {
    const core = ['device:list:list', 'deviceTask:list:list', 'system:user:list', 'system:role:list']
    expect(
      [...core, 'org:list:list', 'system:log:list', undefined, null].flatMap((perm) => moduleOf(perm) ?? []),
    ).toEqual([])
  })

  it.each(languages)('have a name each in %s, and no name is left over', (language) => {
    const names = [...(texts[language]?.keys() ?? [])].filter((key) => key.startsWith('module.name.'))
    expect(names.sort()).toEqual(modules.map((module) => `module.name.${module}`).sort())
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

  it('show nobody a page on which they could only do what they may not', () => {
    const perms = presetEntries('auditor', true).map((entry) => entry.perms)
    expect(perms).not.toContain('device:batch:list')
    expect(presetEntries('operator', true).map((entry) => entry.perms)).toContain('device:batch:list')
  })

  /** What changes something, by the permission that lets somebody do it. */
  const writing = new Map<string, string>([
    ...resources.flatMap(({ name, perms, actions }) => [
      ...Object.entries(perms)
        .filter(([verb]) => !['list', 'export'].includes(verb))
        .map(([verb, perm]): [string, string] => [perm, `${name}.${verb}`]),
      ...Object.entries(actions).map(([verb, action]): [string, string] => [action.perm, `${name}.${verb}`]),
    ]),
    ...endpoints
      // It reads a file and answers what stands in it.
      .filter(({ method, name }) => method !== 'GET' && name !== 'readSerials')
      .map(({ perm, name }): [string, string] => [perm, name]),
    ...Object.entries(commands).map(([name, { perm }]): [string, string] => [perm, name]),
  ])
  const writes = (preset: (typeof rolePresets)[number]) =>
    withImplied(presetEntries(preset, true).flatMap((entry) => entry.perms ?? [])).flatMap((perm) =>
      writing.has(perm) ? [`${perm}: ${writing.get(perm)}`] : [],
    )

  it('let nobody change anything who is there to read', () => {
    expect(writes('auditor')).toEqual([])
    expect(writes('safetyOfficer').filter((line) => !line.startsWith('system:'))).toEqual([])
    expect(writes('operator').length).toBeGreaterThan(20)
  })

  it.each(rolePresets)('put things into a row where they may edit it, and nowhere else: %s', (preset) => {
    const given = presetEntries(preset, true).flatMap((entry) => entry.perms ?? [])
    const held = withImplied(given)
    for (const [perm, page] of Object.entries(impliedPermissions))
      expect([perm, held.includes(perm)]).toEqual([perm, held.includes(page) || given.includes(perm)])
    expect(held.includes('device:groupRel:save')).toBe(preset === 'administrator' || preset === 'operator')
  })

  it.each(rolePresets)('leave the installation’s own entries to its root: %s', (preset) => {
    expect(presetEntries(preset, false).some((entry) => entry.platform)).toBe(false)
  })
})
