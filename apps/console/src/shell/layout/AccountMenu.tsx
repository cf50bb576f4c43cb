import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { languageNames, languages } from '../language.ts'
import { MenuButton } from '../menus/MenuButton.tsx'
import { useSession } from '../session/session.ts'
import { signOut } from '../session/signOut.ts'
import { openSettings } from '../settings/drawerState.ts'
import { openShortcutHelp } from '../shortcuts/helpState.ts'
import { changeLanguage } from '../texts.ts'
import { toggleFullScreen } from './fullScreen.ts'
import { initials } from './initials.ts'
import { useOwnPhoto } from './useOwnPhoto.ts'

export function AccountMenu() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const user = useSession((state) => state.session?.user)
  const photo = useOwnPhoto()
  if (user === undefined) return null
  const name = user.realName === '' ? user.username : user.realName

  const actions: Record<string, () => unknown> = {
    personal: () => navigate('/personal'),
    settings: openSettings,
    shortcuts: openShortcutHelp,
    fullScreen: toggleFullScreen,
    signOut,
  }

  const items = [
    {
      key: 'who',
      type: 'group' as const,
      label: (
        <span className="account-who">
          <strong>{name}</strong>
          <span>{user.username}</span>
          <span>{user.departmentName}</span>
        </span>
      ),
    },
    { key: 'personal', label: t('shell.account.personal') },
    { key: 'settings', label: t('shell.settings.title') },
    { key: 'shortcuts', label: t('shell.shortcuts.title') },
    { key: 'fullScreen', label: t('shell.fullScreen.enter') },
    {
      key: 'language',
      label: t('signIn.language'),
      children: languages.map((language) => ({ key: `language-${language}`, label: languageNames[language] })),
    },
    { type: 'divider' as const },
    { key: 'signOut', label: t('shell.account.signOut') },
  ]

  const choose = (key: string) => {
    const language = languages.find((each) => key === `language-${each}`)
    if (language !== undefined) return changeLanguage(language)
    return actions[key]?.()
  }

  return (
    <MenuButton
      className="avatar"
      aria-label={t('shell.account.of', { name })}
      placement="bottomRight"
      content={{ items, choose }}
    >
      {photo === undefined ? initials(name) : <img src={photo} alt="" />}
    </MenuButton>
  )
}
