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
