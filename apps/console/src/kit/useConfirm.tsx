import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { dialogs } from '../shell/dialogs.ts'

interface Question {
  title: string
  text?: ReactNode
  /** The verb of the title, on the button. */
  verb: string
  /** What the other button says where “Cancel” could be read as the verb. */
  otherwise?: string
  danger?: boolean
}

/** Asks before something is destroyed or interrupted. Focus starts on Cancel. */
export const useConfirm = () => {
  const { t } = useTranslation()
  return async ({ title, text, verb, otherwise, danger = false }: Question): Promise<boolean> =>
    (await dialogs()).confirm({
      title,
      content: text,
      okText: verb,
      cancelText: otherwise ?? t('kit.cancel'),
      okButtonProps: { danger },
      focusable: { autoFocusButton: 'cancel' },
    })
}

/** Which rows a bulk call left alone, and why. */
export const useSkippedReport = () => {
  const { t, i18n } = useTranslation()
  return async (skipped: readonly { id: number; name: string; code: number }[], done: number): Promise<void> =>
    void (await dialogs()).warning({
      title: t('kit.skipped.title', { count: skipped.length, done }),
      okText: t('kit.close'),
      width: 560,
      content: (
        <ul className="skipped">
          {skipped.map(({ id, name, code }) => (
            <li key={id}>
              <strong>{name}</strong>
              <span>
                {i18n.exists(`error.${code}`) ? t(`error.${code}`) : t('kit.skipped.noText')} ({code})
              </span>
            </li>
          ))}
        </ul>
      ),
    })
}
