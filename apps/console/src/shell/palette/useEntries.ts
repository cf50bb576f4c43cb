import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { choices } from '../../theme/choices.ts'
import { everyTitle } from '../localised.ts'
import { useNavigationMenu } from '../navigation/navigation.ts'
import { titleOfNode } from '../navigation/titles.ts'
import { pageHere } from '../organisations/address.ts'
import { openOrganisationSwitcher } from '../organisations/switcherState.ts'
import { signOut } from '../session/signOut.ts'
import { openSettings } from '../settings/drawerState.ts'
import { changeSettings, type Settings, useSettings, useTheme } from '../settings/settings.ts'
import { openShortcutHelp } from '../shortcuts/helpState.ts'
import { currentLanguage } from '../texts.ts'
import { useCommands } from './commands.ts'
import type { Entry } from './match.ts'
import { recentPlaces } from './recentPlaces.ts'

const pickers = ['scheme', 'layout', 'density', 'width'] as const
const switches = ['tabs', 'breadcrumb', 'watermark', 'colourWeak', 'shortcuts'] as const

/** Everything the palette offers without asking anybody: where one was, screens, choices of the settings drawer, actions, help. */
export function useEntries(): Entry[] {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const routes = useNavigationMenu((navigation) => navigation.routes)
  const registered = useCommands((state) => state.commands)
  const theme = useTheme((state) => state.theme)
  const settings = useSettings()
  const language = currentLanguage()

  return useMemo(() => {
    const screens = routes
      .filter((route) => !route.dynamic && route.redirect === undefined && route.unused === undefined)
      .map(
        (route): Entry => ({
          id: `screen ${route.path}`,
          kind: 'screen',
          title: titleOfNode(route.node, language),
          hint: route.trail
            .slice(0, -1)
            .map((node) => titleOfNode(node, language))
            .join(' › '),
          words: [...everyTitle(route.node.title), route.path],
          run: () => void navigate(route.path),
        }),
      )

    const own: [string, () => unknown][] = [
      ['personal', () => navigate('/personal')],
      ['switchOrganisation', openOrganisationSwitcher],
      ['settings', openSettings],
      [theme === 'dark' ? 'light' : 'dark', () => changeSettings({ scheme: theme === 'dark' ? 'light' : 'dark' })],
      ['signOut', signOut],
    ]
    const commands = [
      ...registered.map(
        ({ id, title, run }): Entry => ({ id: `command ${id}`, kind: 'command', title, hint: '', words: [title], run }),
      ),
      ...own.map(([name, run]): Entry => {
        const title = t(`palette.command.${name}`)
        return { id: `own ${name}`, kind: 'command', title, hint: '', words: [title, name], run: () => void run() }
      }),
    ]

    const setting = (name: keyof Settings, title: string, change: Partial<Settings>): Entry => ({
      id: `setting ${name} ${title}`,
      kind: 'setting',
      title,
      hint: t('shell.settings.title'),
      words: [title],
      run: () => changeSettings(change),
    })
    const preferences = [
      ...pickers.flatMap((name) =>
        choices[name]
          .filter((value) => value !== settings[name])
          .map((value) =>
            setting(name, `${t(`settings.${name}.title`)}: ${t(`settings.${name}.${value}`)}`, {
              [name]: value,
            }),
          ),
      ),
      ...switches.map((name) =>
        setting(
          name,
          t(settings[name] ? 'palette.switchOff' : 'palette.switchOn', {
            name: t(`settings.${name}.title`),
          }),
          { [name]: !settings[name] },
        ),
      ),
    ]

    const pages: [string, () => unknown][] = [
      ['shortcuts', openShortcutHelp],
      ['api', () => window.open('/docs', '_blank', 'noopener')],
      ['agreements', () => window.open('/privacy', '_blank', 'noopener')],
    ]
    const help = pages.map(([name, run]): Entry => {
      const title = t(`palette.help.${name}`)
      return { id: `help ${name}`, kind: 'help', title, hint: '', words: [title, name], run: () => void run() }
    })

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
    return [...recent, ...commands, ...screens, ...preferences, ...help]
  }, [t, navigate, routes, registered, theme, settings, language])
}
