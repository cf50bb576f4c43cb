import i18next, { type TFunction } from 'i18next'
import type { Language } from '../language.ts'
import { localiseTitle } from '../localised.ts'
import { allScreens } from '../screens.ts'
import type { MenuNode, MenuRoute } from './menu.ts'
import { type Resolution, resolve } from './resolve.ts'

export const titleOfNode = (node: MenuNode, language: Language): string =>
  node.titleKey === undefined ? localiseTitle(node.title, language) : i18next.t(node.titleKey)

/** A menu entry's own name wins over the screen's, because administrators may rename entries. */
export function titleOf(resolution: Resolution, t: TFunction, language: Language, name?: string): string {
  if (resolution.kind === 'forbidden') return t(resolution.screen.titleKey)
  if (resolution.kind !== 'screen') return t('shell.notFound.title')
  const { screen, params, menu } = resolution
  const isOwnEntry = menu !== undefined && menu.path === screen.path
  const title = isOwnEntry ? titleOfNode(menu.node, language) : t(screen.titleKey)
  return [title, ...(name === undefined ? Object.values(params) : [name])].join(' ')
}

/** `name` stands in the place of the numbers in the address, where the page knows what they stand for. */
export const titleOfPath = (
  path: string,
  routes: readonly MenuRoute[],
  t: TFunction,
  language: Language,
  name?: string,
): string => titleOf(resolve(path, { screens: allScreens, routes }), t, language, name)
