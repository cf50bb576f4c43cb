import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { everyTitle } from '../localised.ts'
import { useNavigationMenu } from '../navigation/navigation.ts'
import { titleOfNode } from '../navigation/titles.ts'
import { pageHere } from '../organisations/address.ts'
import { openOrganisationSwitcher } from '../organisations/switcherState.ts'
import { signOut } from '../session/signOut.ts'
import { openSettings } from '../settings/drawerState.ts'
import { changeSettings, useTheme } from '../settings/settings.ts'
import { openShortcutHelp } from '../shortcuts/helpState.ts'
import { currentLanguage } from '../texts.ts'
import { useCommands } from './commands.ts'
import type { Entry } from './match.ts'
import { recentPlaces } from './recentPlaces.ts'

/** Everything the palette offers, in the order shown when nothing is typed: recent, actions of the page, screens. */
export function useEntries(): { recent: Entry[]; commands: Entry[]; screens: Entry[] } {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const routes = useNavigationMenu((navigation) => navigation.routes)
  const registered = useCommands((state) => state.commands)
  const theme = useTheme((state) => state.theme)
  const language = currentLanguage()

  const screens = routes
    .filter((route) => !route.dynamic && route.redirect === undefined)
    .map(
      (route): Entry => ({
        id: `screen ${route.path}`,
        kind: 'screen',
        title: titleOfNode(route.node, language),
        hint: route.trail
          .slice(0, -1)
          .map((node) => titleOfNode(node, language))
          .join(' / '),
        words: [...everyTitle(route.node.title), route.path],
        run: () => void navigate(route.path),
      }),
    )

  const own: [string, () => unknown][] = [
    ['personal', () => navigate('/personal')],
    ['switchOrganisation', openOrganisationSwitcher],
    ['settings', openSettings],
    [theme === 'dark' ? 'light' : 'dark', () => changeSettings({ scheme: theme === 'dark' ? 'light' : 'dark' })],
    ['shortcuts', openShortcutHelp],
    ['signOut', signOut],
  ]

  const commands = [
    ...registered.map(
      ({ id, title, run }): Entry => ({ id: `command ${id}`, kind: 'command', title, hint: '', words: [title], run }),
    ),
    ...own.map(([name, run]): Entry => {
      const title = t(`shell.palette.command.${name}`)
      return { id: `own ${name}`, kind: 'command', title, hint: '', words: [title, name], run: () => void run() }
    }),
  ]

  const elsewhere = recentPlaces().filter((place) => place.path !== pageHere())
  const recent = elsewhere.map(
    ({ path, title }): Entry => ({
      id: `recent ${path}`,
      kind: 'recent',
      title,
      hint: '',
      words: [title],
      run: () => void navigate(path),
    }),
  )

  return { recent, commands, screens }
}
