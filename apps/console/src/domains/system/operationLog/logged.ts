import type { CommandName } from '@campanile/contract/command'
import { commandForm, commandSpec, settingForm } from '@campanile/contract/command'
import type { Field, Resource } from '@campanile/contract/kit'
import type { i18n as I18n } from 'i18next'
import { humanised } from '../../../kit/humanised.ts'
import { loadDeclared, loadTextsOf } from '../../../shell/declared.ts'
import { loadTexts } from '../../../shell/texts.ts'

/** Modules whose values are those of another kind of row: one's own account is a user's. */
const declaredAs: Readonly<Record<string, string>> = { personal: 'user', session: 'user' }
/** Where a filter that is kept chooses among rows of another kind. */
const filtersOver: Readonly<Record<string, string>> = { deviceGroup: 'device' }

/** The declarations that the values of a line are read by. */
export interface Declarations {
  /** What the texts call the fields of the module. */
  readonly module: string
  readonly own: Resource | undefined
  /** Of what is listed, where a filter or columns were asked for. */
  readonly listed: Resource | undefined
  /** Of the arguments, where a command was given. */
  readonly args: Resource | undefined
}

/** Everything a line's values are said with, and the words for it. */
export const loadDeclarations = async (module: string, description: string | null): Promise<Declarations> => {
  const name = declaredAs[module] ?? module
  const listed = filtersOver[module] ?? name
  const [command = ''] = description?.match(/^\w+/) ?? []
  const spec = commandSpec(command)
  await Promise.all([
    // The words of commands come with those of tasks; settings of the installation are no rows.
    loadTextsOf([name, listed, 'deviceTask']),
    loadTexts([...(spec ? [spec.texts] : []), ...(module === 'config' ? ['config'] : [])]),
  ])
  return {
    module: name,
    own: await loadDeclared(name),
    listed: await loadDeclared(listed),
    args: spec && commandForm(command as CommandName),
  }
}

/** What a value belongs to: a field of a declaration, or nothing that was declared. */
export interface Place {
  readonly resource: Resource | undefined
  readonly name: string
  readonly field: Field | undefined
}

/** Names that hold values of something else. */
const holders = {
  filters: ({ listed }: Declarations) => listed,
  filter: ({ listed }: Declarations) => listed,
  args: ({ args }: Declarations) => args,
  items: () => settingForm,
} as const
const isHolder = (name: string): name is keyof typeof holders => Object.hasOwn(holders, name)

export const placeOf = ([first = '', second, ...deeper]: readonly string[], given: Declarations): Place => {
  const held = isHolder(first) && second !== undefined
  const resource = held ? holders[first](given) : given.own
  const name = held ? second : first
  return {
    resource,
    name,
    field: (held ? deeper : [second].filter(Boolean)).length > 0 ? undefined : resource?.fields[name],
  }
}

const languages = new Set(['en', 'zh-cn', 'zh-tw'])

/** A name in words: the label of its field, what the log calls it, or at least words. */
const labelOf = (name: string, resource: string | undefined, i18n: I18n): string => {
  const keys = [`${resource}.field.${name}`, `operationLog.part.${name}`, `config.language.${name}`]
  const key = (languages.has(name) ? keys : keys.slice(0, 2)).find((each) => i18n.exists(each))
  return key === undefined ? humanised(name) : i18n.t(key)
}

/** What a value is called: the field's label, then what lies inside it. */
export const pathLabel = (path: readonly string[], given: Declarations, i18n: I18n): string => {
  const { resource, name } = placeOf(path, given)
  const at = path.indexOf(name)
  return path
    .map((part, index) => labelOf(part, index === at ? (resource?.name ?? given.module) : given.module, i18n))
    .join(' · ')
}

/** Columns that were asked for, and the one they were sorted by, in the words of the list. */
export const columnLabel = (column: string, { listed }: Declarations, i18n: I18n): string =>
  labelOf(column.replace(/^-/, ''), listed?.name, i18n)
