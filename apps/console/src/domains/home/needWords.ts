import type { HomeNeed } from '@campanile/contract/home'
import type { TFunction } from 'i18next'

/** A need as a sentence, in the words of the room that declared it. */
export const needWords = (
  { kind, texts, count, words, cause, command }: HomeNeed,
  { t, language }: { t: TFunction; language: string },
) => {
  const number = new Intl.NumberFormat(language)
  const said = Object.fromEntries(
    Object.entries(words).map(([name, value]) => [name, typeof value === 'number' ? number.format(value) : value]),
  )
  const at = said.place === undefined ? '' : t('home.needs.at', { place: said.place })
  const more = typeof words.more === 'number' ? words.more : 0
  const where =
    said.sites === undefined
      ? ''
      : more === 0
        ? said.sites
        : t('home.needs.sitesMore', { sites: said.sites, count: more, shown: number.format(more) })
  const all = { ...said, at, where, count, shown: number.format(count) }
  return {
    title: t(`${texts}.need.${kind}.title`, all).trim(),
    cause: t(`${texts}.need.${kind}.${cause}`, all),
    command,
  }
}
