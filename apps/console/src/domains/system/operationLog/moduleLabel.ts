import type { i18n as I18n } from 'i18next'
import { declaredNames } from '../../../shell/declared.ts'

/** A module has a name here, or it is a resource, whose title says enough. */
export const moduleLabel = (module: string, i18n: I18n): string => {
  const key = [`operationLog.module.${module}`, `${module}.title`].find((each) => i18n.exists(each))
  return key === undefined ? module : i18n.t(key)
}

/** Every module there is: the resources, and the rooms that have a name of their own. */
export const modules = (i18n: I18n): string[] => [
  ...new Set([...declaredNames, ...Object.keys(i18n.t('operationLog.module', { returnObjects: true }))]),
]

const languages = new Set(['en', 'zh-cn', 'zh-tw'])

/** What a value is called: the field's label, then what lies inside it. An unknown name is shown as it is. */
export const pathLabel = (module: string, path: readonly string[], i18n: I18n): string => {
  const [field = '', ...inside] = path
  const key = `${module}.field.${field}`
  const rest = inside.map((part) => (languages.has(part) ? i18n.t(`config.language.${part}`) : part))
  return [i18n.exists(key) ? i18n.t(key) : field, ...rest].join(' · ')
}
