import { configDefaults, configGroups, configSecrets, configShape } from '@campanile/contract/system'

export type SettingName = keyof typeof configShape
export type Settings = { [K in SettingName]: (typeof configDefaults)[K] }
/** What stands in the form: what was read, or whatever a person has typed so far. */
export type Draft = Readonly<Record<SettingName, unknown>>

export const settingNames = Object.values(configGroups).flat() as SettingName[]

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

export const isSecret = (name: SettingName): boolean => configSecrets.includes(name)

/** A secret comes back as a sign that there is one, and blank means unchanged. */
export const draftOf = (values: Settings): Draft => ({
  ...values,
  ...Object.fromEntries(configSecrets.map((name) => [name, ''])),
})

export const changedNames = (from: Draft, to: Draft): SettingName[] =>
  settingNames.filter((name) => !same(from[name], to[name]))

export const isDefault = (name: SettingName, value: unknown): boolean => same(value, configDefaults[name])

/** An empty line means "none" where none is allowed. */
export const settled = (name: SettingName, value: unknown): unknown =>
  value === '' && configShape[name].safeParse(null).success ? null : value

export const wrongNames = (draft: Draft, names: readonly SettingName[]): SettingName[] =>
  names.filter((name) => !configShape[name].safeParse(settled(name, draft[name])).success)

export const patchOf = (draft: Draft, names: readonly SettingName[]): Partial<Settings> =>
  Object.fromEntries(names.map((name) => [name, settled(name, draft[name])]))
