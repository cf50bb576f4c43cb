import { commandTextKey } from '@campanile/contract/command'
import { useTranslation } from 'react-i18next'

/** What people call a command; one that is not ours keeps the name it came with. */
export const useCommandName = () => {
  const { t, i18n } = useTranslation()
  return (name: string) => {
    const key = commandTextKey(name)
    return i18n.exists(key) ? t(key) : name
  }
}
